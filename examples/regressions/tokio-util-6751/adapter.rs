//! The DelayQueue of tokio-util under tamper.

use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::{Arc, Mutex};

use tamper_sut::serve_tokio;
use tokio::sync::Notify;
use tokio_util::time::DelayQueue;

fn main() {
    serve_tokio(|sut| {
        let (queue, begun) = (Arc::new(Mutex::new(DelayQueue::new())), Arc::new(Notify::new()));
        let (entries, added) = (queue.clone(), begun.clone());
        let (said, mut keys) = (sut.clone(), HashMap::new());
        tokio::spawn(async move {
            loop {
                added.notified().await;
                while let Some(over) = poll_fn(|context| entries.lock().unwrap().poll_expired(context)).await {
                    said.say(over.into_inner(), &[]);
                }
                said.say("ended", &[]);
            }
        });
        let (short, long) = (("short_over", sut.units(5, 1)), ("long_over", sut.units(10, 1)));
        Box::new(move |name, _| {
            let (what, time) = if name.ends_with("short") { short } else { long };
            match name.split('_').next() {
                Some("add") => drop(keys.insert(what, queue.lock().unwrap().insert(what, time))),
                Some("again") => queue.lock().unwrap().reset(&keys[what], time),
                _ => drop(queue.lock().unwrap().remove(&keys[what])),
            }
            begun.notify_waiters(); // Who reads already does not hear it.
            true
        })
    })
}
