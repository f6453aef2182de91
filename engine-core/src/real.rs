//! Floating-point functions that give the same result on every machine. Those of the standard
//! library depend on the platform and may differ in the last bit.

/// The exponential function.
#[inline]
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// The natural logarithm.
#[inline]
pub fn ln(x: f32) -> f32 {
    libm::logf(x)
}

/// The logistic function 1 / (1 + e⁻ˣ): converts logits to a probability.
#[inline]
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_same_bits_everywhere() {
        let bits = [-30.0, -1.0, 0.0, 0.3, 4.0].map(|x| logistic(x).to_bits());
        assert_eq!(
            bits,
            [
                0x29d2_b707,
                0x3e89_b2b1,
                0x3f00_0000,
                0x3f13_0eaa,
                0x3f7b_6541
            ]
        );
        let bits = [1.0, 3.0, 1e6].map(|x| ln(x).to_bits());
        assert_eq!(bits, [0x0000_0000, 0x3f8c_9f54, 0x415d_0c55]);
    }
}
