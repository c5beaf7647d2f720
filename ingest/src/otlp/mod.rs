//! OTLP/JSON: exported spans of agents, in the attributes of OpenTelemetry GenAI, OpenInference, OpenLLMetry, Langfuse
//! and the Vercel AI SDK.
//!
//! `wire` reads the export requests as they are written, `span` keeps of each span what a step can be made of, and
//! `tree` puts the spans of one trace together: whose call each is, which are the same call seen twice, which were
//! started in parallel.

mod span;
mod tree;
mod wire;

use std::collections::HashMap;

use crate::json;
use crate::problem::Fault;
use crate::trace::Trace;
use span::Span;

/// The traces of one file while its spans are read.
#[derive(Default)]
pub(crate) struct Spans {
    traces: Vec<(String, Vec<Span>)>,
    by_id: HashMap<String, usize>,
    count: usize,
}

impl Spans {
    /// Reads one export request, or one span by itself.
    ///
    /// # Errors
    /// When it is neither.
    pub(crate) fn read(&mut self, text: &str) -> Result<(), Fault> {
        let spans = wire::spans(text).map_err(|error| json::explain(text.as_bytes(), &error))?;
        if spans.is_none() {
            return Err(Fault::new(
                0,
                format!("found {}, expected an export request with \"resourceSpans\"", json::found(text)),
            ));
        }
        for span in spans.unwrap_or_default() {
            let id = span.trace_id();
            let at = *self.by_id.entry(id).or_insert_with_key(|id| {
                self.traces.push((id.clone(), Vec::new()));
                self.traces.len() - 1
            });
            self.traces[at].1.push(Span::new(&span, self.count));
            self.count += 1;
        }
        Ok(())
    }

    /// All traces in which an agent, a model or a tool shows.
    ///
    /// # Errors
    /// When there are spans, but none of these.
    pub(crate) fn finish(self) -> Result<Vec<Trace>, String> {
        let traces: Vec<Trace> = self
            .traces
            .into_iter()
            .filter(|(_, spans)| spans.iter().any(Span::is_of_agent))
            .map(|(id, spans)| Trace { id, steps: tree::steps(spans), config: None })
            .collect();
        if !traces.is_empty() || self.count == 0 {
            return Ok(traces);
        }
        Err(format!(
            "found no sign of an agent in the spans ({}), expected attributes such as \"gen_ai.operation.name\", \
             \"openinference.span.kind\" or \"mcp.method.name\"",
            self.count
        ))
    }
}
