//! The rate limiter of leaky-bucket under tamper.

use std::sync::Arc;

use leaky_bucket::RateLimiter;
use tamper_sut::serve_tokio;

fn main() {
    serve_tokio(|sut| {
        let mut bucket = RateLimiter::builder();
        bucket.initial(2).max(2).refill(1).interval(sut.units(5, 1));
        let (sut, limiter) = (sut.clone(), Arc::new(bucket.build()));
        Box::new(move |_, _| {
            let (sut, limiter) = (sut.clone(), limiter.clone());
            tokio::spawn(async move {
                limiter.acquire(2).await;
                sut.say("taken", &[]);
            });
            true
        })
    })
}
