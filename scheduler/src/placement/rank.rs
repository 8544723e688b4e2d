//! Which of several fitting places is best, when nobody has to leave for it.
//!
//! Cheapest floor first, since the dearest ask that is sold lifts the price for all; among equals the node with the fewest
//! devices left over, so that large blocks stay whole for large gangs; then the node's identifier.

use super::board::Board;
use crate::world::{At, NodeId};

/// What is asked of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Ordinal of the class.
    pub class: usize,
    /// Devices, all in one bucket.
    pub gang: usize,
    /// The highest floor that will do, in micros.
    pub ceiling: i64,
    /// The only node that will do, if there is one.
    pub node: Option<NodeId>,
}

/// The best bucket in which the gang can start at once.
#[must_use]
pub fn free_now(board: &Board<'_>, shape: Shape) -> Option<usize> {
    let mut buckets = board.with_free(shape.class, shape.gang);
    match shape.node {
        Some(_) => buckets.find(|bucket| admits(board, *bucket, shape)),
        None => buckets
            .take_while(|bucket| board.floor(*bucket) <= shape.ceiling)
            .find(|bucket| admits(board, *bucket, shape)),
    }
}

/// The bucket in which the gang can start earliest with what is already under notice, and when.
#[must_use]
pub fn free_soon(board: &Board<'_>, shape: Shape) -> Option<(usize, At)> {
    let buckets = board.of_class[shape.class].iter().copied();
    buckets
        .filter(|bucket| !board.buckets[*bucket].due.is_empty() && admits(board, *bucket, shape))
        .filter_map(|bucket| {
            let here = &board.buckets[bucket];
            let missing = shape.gang.saturating_sub(here.free.len());
            // The earliest is last.
            let last_needed = here.due.len().checked_sub(missing)?;
            let at = here.due.get(last_needed).copied().unwrap_or(board.now);
            Some((bucket, at))
        })
        .min_by_key(|(bucket, at)| (*at, board.floor(*bucket), *bucket))
}

/// Whether the bucket takes gangs of this shape, were there devices enough.
#[must_use]
pub fn admits(board: &Board<'_>, bucket: usize, shape: Shape) -> bool {
    let here = &board.buckets[bucket];
    here.ask.is_some_and(|ask| {
        let large_enough = usize::try_from(ask.min_chunk).is_ok_and(|chunk| chunk <= shape.gang);
        large_enough && ask.floor.micros() <= shape.ceiling && shape.node.is_none_or(|node| node == here.node.id)
    })
}
