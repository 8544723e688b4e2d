//! Random numbers as published generators of traces draw them: the Mersenne Twister of Matsumoto and Nishimura (1998), MT19937,
//! seeded and read the way Python's `random.Random` does it. With the same seed a published trace comes out again, byte by byte.

const WORDS: usize = 624;
const AHEAD: usize = 397;

/// A source of random numbers.
#[derive(Debug, Clone)]
pub struct Twister {
    words: [u32; WORDS],
    next: usize,
}

impl Twister {
    /// The same seed gives the same numbers: the seed is the key of `init_by_array`, its low word first.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let word = |bits: u64| u32::try_from(bits & 0xFFFF_FFFF).unwrap_or(0);
        let (low, high) = (word(seed), word(seed >> 32));
        let key: &[u32] = if high == 0 { &[low] } else { &[low, high] };
        let mut words = spread(19_650_218);
        let (mut at, mut from) = (1, 0);
        for _ in 0..WORDS {
            let before = words[at - 1] ^ (words[at - 1] >> 30);
            let place = u32::try_from(from).unwrap_or(0);
            words[at] = (words[at] ^ before.wrapping_mul(1_664_525)).wrapping_add(key[from]).wrapping_add(place);
            (at, from) = (step(&mut words, at), (from + 1) % key.len());
        }
        for _ in 0..WORDS - 1 {
            let before = words[at - 1] ^ (words[at - 1] >> 30);
            let place = u32::try_from(at).unwrap_or(0);
            words[at] = (words[at] ^ before.wrapping_mul(1_566_083_941)).wrapping_sub(place);
            at = step(&mut words, at);
        }
        words[0] = 0x8000_0000;
        Self { words, next: WORDS }
    }

    /// The next 32 bits.
    pub fn bits(&mut self) -> u32 {
        if self.next == WORDS {
            self.turn();
        }
        let mut bits = self.words[self.next];
        self.next += 1;
        bits ^= bits >> 11;
        bits ^= (bits << 7) & 0x9D2C_5680;
        bits ^= (bits << 15) & 0xEFC6_0000;
        bits ^ (bits >> 18)
    }

    fn turn(&mut self) {
        for at in 0..WORDS {
            let both = (self.words[at] & 0x8000_0000) | (self.words[(at + 1) % WORDS] & 0x7FFF_FFFF);
            let odd = if both & 1 == 1 { 0x9908_B0DF } else { 0 };
            self.words[at] = self.words[(at + AHEAD) % WORDS] ^ (both >> 1) ^ odd;
        }
        self.next = 0;
    }

    /// Uniform in [0, 1), 53 bits of it.
    pub fn unit(&mut self) -> f64 {
        let (high, low) = (self.bits() >> 5, self.bits() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.unit()
    }

    /// One of them, each as likely: as many bits as their number has, again until they are fewer than that.
    ///
    /// # Panics
    /// There is none to choose from.
    pub fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        assert!(!from.is_empty(), "there is none to choose from");
        let width = usize::BITS - from.len().leading_zeros();
        loop {
            let place = usize::try_from(self.bits() >> (32 - width.min(32))).unwrap_or(usize::MAX);
            if let Some(chosen) = from.get(place) {
                return chosen;
            }
        }
    }
}

/// The state that a single number gives.
fn spread(seed: u32) -> [u32; WORDS] {
    let mut words = [seed; WORDS];
    for at in 1..WORDS {
        let before = words[at - 1] ^ (words[at - 1] >> 30);
        words[at] = before.wrapping_mul(1_812_433_253).wrapping_add(u32::try_from(at).unwrap_or(0));
    }
    words
}

/// The place after this one; the last word is the first again.
fn step(words: &mut [u32; WORDS], at: usize) -> usize {
    if at + 1 < WORDS {
        return at + 1;
    }
    words[0] = words[WORDS - 1];
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_python() {
        let mut twister = Twister::new(0);
        assert_eq!([twister.unit(), twister.unit()], [0.844_421_851_525_048_1, 0.757_954_402_940_302_5]);
        assert_eq!(Twister::new(1 << 33).bits(), 49_182_197);
        let letters: Vec<u32> = (0..26).collect();
        let mut twister = Twister::new(7);
        let chosen: Vec<u32> = (0..6).map(|_| *twister.choose(&letters)).collect();
        assert_eq!(chosen, [10, 4, 12, 20, 1, 2]);
    }
}
