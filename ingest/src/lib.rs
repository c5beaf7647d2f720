//! Trace files to steps.
