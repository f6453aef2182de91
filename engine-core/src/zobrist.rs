//! Zobrist keys (Zobrist, *A New Hashing Method with Application for Game Playing*, 1970).

/// One step of SplitMix64 (Steele, Lea and Flood 2014): a well-mixed 64-bit word for every input.
#[inline]
pub const fn mix(input: u64) -> u64 {
    let z = input.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// `N` keys, computed at compile time; different seeds give unrelated keys.
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = mix(mix(seed) ^ i as u64);
        i += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    #[test]
    fn keys_differ_within_and_between_seeds() {
        let all: HashSet<u64> = super::keys::<1000>(1)
            .into_iter()
            .chain(super::keys::<1000>(2))
            .collect();
        assert_eq!(all.len(), 2000);
    }
}
