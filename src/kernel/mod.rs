//! Arithmetic on long rows of numbers.
//!
//! One function per operation; the scalar form is the oracle of every faster one.

/// The dot product of two rows of equal length. For unit vectors this is their cosine.
///
/// Rows of different length are compared as far as both go.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::dot;

    #[test]
    fn the_dot_of_a_unit_vector_with_itself_is_one() {
        assert_eq!(dot(&[0.6, 0.8], &[0.6, 0.8]), 1.0);
        assert_eq!(dot(&[1.0, 0.0], &[0.0, 1.0]), 0.0);
    }
}
