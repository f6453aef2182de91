//! Zeroed memory for large tables, on huge pages if the system has them.

/// A fixed-size slice of zeroed items.
///
/// On Linux the memory is mapped directly, aligned to huge pages and advised to use them
/// (`MADV_HUGEPAGE`): a random access to a large table then costs one cache miss instead of a cache
/// miss and a page walk. On other systems, and under loom, it is a boxed slice.
#[derive(Debug)]
pub(crate) struct Zeroed<T: Zeroable> {
    #[cfg(all(target_os = "linux", not(loom)))]
    items: linux::Mapping<T>,
    #[cfg(any(loom, not(target_os = "linux")))]
    items: Box<[T]>,
}

/// Types whose all-zero bytes are a valid value, equal to `default()`, and that need no drop.
///
/// # Safety
/// All-zero bytes must be a valid value of the type.
#[cfg(not(loom))]
pub(crate) unsafe trait Zeroable: Default + Send + Sync {}

/// Loom's atomics are not plain words, so the boxed slice creates each by `default()`.
#[cfg(loom)]
pub(crate) trait Zeroable: Default + Send + Sync {}
#[cfg(loom)]
impl<T: Default + Send + Sync> Zeroable for T {}

impl<T: Zeroable> Zeroed<T> {
    /// `count` items, at least one; `None` if the memory cannot be allocated.
    pub(crate) fn new(count: usize) -> Option<Zeroed<T>> {
        #[cfg(all(target_os = "linux", not(loom)))]
        return linux::Mapping::new(count.max(1)).map(|items| Zeroed { items });
        #[cfg(any(loom, not(target_os = "linux")))]
        return Some(Zeroed {
            items: boxed(count.max(1))?,
        });
    }
}

impl<T: Zeroable> std::ops::Deref for Zeroed<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

/// The safe alternative to a mapping.
#[cfg(any(test, loom, not(target_os = "linux")))]
fn boxed<T: Zeroable>(count: usize) -> Option<Box<[T]>> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).ok()?;
    items.resize_with(count, T::default);
    Some(items.into_boxed_slice())
}

#[cfg(all(target_os = "linux", not(loom)))]
mod linux {
    use std::ffi::c_void;
    use std::ptr::{NonNull, null_mut};

    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

    use super::Zeroable;

    /// The size of a huge page on x86-64 and on aarch64 with 4 KiB pages.
    const HUGE_PAGE: usize = 2 << 20;

    /// An anonymous private mapping of `count` items. The first item is at the first huge-page
    /// boundary, or at the start if the mapping is smaller than a huge page.
    #[derive(Debug)]
    pub(super) struct Mapping<T> {
        base: NonNull<c_void>,
        bytes: usize,
        items: NonNull<T>,
        count: usize,
    }

    // SAFETY: the mapping is owned, and shared only as `&[T]`; T is Send and Sync.
    unsafe impl<T: Zeroable> Send for Mapping<T> {}
    // SAFETY: as above.
    unsafe impl<T: Zeroable> Sync for Mapping<T> {}

    impl<T: Zeroable> Mapping<T> {
        pub(super) fn new(count: usize) -> Option<Mapping<T>> {
            const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= 4096) };
            let wanted = count.checked_mul(size_of::<T>())?.max(1);
            let slack = if wanted >= HUGE_PAGE { HUGE_PAGE } else { 0 };
            let bytes = wanted.checked_add(slack)?;
            // SAFETY: a new anonymous mapping, at an address of the kernel's choice.
            let base = unsafe {
                mmap_anonymous(
                    null_mut(),
                    bytes,
                    ProtFlags::READ | ProtFlags::WRITE,
                    MapFlags::PRIVATE,
                )
            }
            .ok()
            .and_then(NonNull::new)?;
            let offset = base.as_ptr().align_offset(HUGE_PAGE) * (slack != 0) as usize;
            // SAFETY: `offset` is less than `slack`, so `offset + wanted` bytes lie in the mapping.
            let items = unsafe { base.byte_add(offset) };
            if slack != 0 {
                // The kernel may refuse the advice (no huge pages configured); the memory is usable
                // all the same.
                // SAFETY: the range is part of the mapping above, and advice changes no contents.
                let _ = unsafe { madvise(items.as_ptr(), wanted, Advice::LinuxHugepage) };
            }
            Some(Mapping {
                base,
                bytes,
                items: items.cast(),
                count,
            })
        }
    }

    impl<T> std::ops::Deref for Mapping<T> {
        type Target = [T];
        #[inline]
        fn deref(&self) -> &[T] {
            // SAFETY: `count` items from `items` lie in the mapping, which lives as long as self;
            // fresh pages are zero, a valid T; `items` is aligned to a page, and so for T.
            unsafe { std::slice::from_raw_parts(self.items.as_ptr(), self.count) }
        }
    }

    impl<T> Drop for Mapping<T> {
        fn drop(&mut self) {
            // SAFETY: `base` and `bytes` are those of the mapping, and nobody borrows it any more.
            let _ = unsafe { munmap(self.base.as_ptr(), self.bytes) };
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[derive(Default, Debug)]
    #[repr(align(64))]
    struct Line([AtomicU64; 8]);
    // SAFETY: AtomicU64 is valid as zero.
    unsafe impl Zeroable for Line {}

    /// Writes and reads a pattern; returns the final content.
    fn exercise(items: &[Line]) -> Vec<u64> {
        assert!(
            items
                .iter()
                .all(|line| line.0.iter().all(|word| word.load(Ordering::Relaxed) == 0))
        );
        assert_eq!(items.as_ptr() as usize % 64, 0);
        for (i, line) in items.iter().enumerate() {
            line.0[i % 8].store(i as u64 + 1, Ordering::Relaxed);
        }
        items
            .iter()
            .flat_map(|line| line.0.iter().map(|word| word.load(Ordering::Relaxed)))
            .collect()
    }

    #[test]
    fn mapped_memory_behaves_as_its_safe_twin() {
        for count in [1, 63, 1 << 15, (1 << 16) + 1] {
            let mapped = Zeroed::<Line>::new(count).unwrap();
            assert_eq!(mapped.len(), count);
            assert_eq!(exercise(&mapped), exercise(&boxed(count).unwrap()));
        }
    }

    #[test]
    fn more_memory_than_there_is_gives_none() {
        assert!(Zeroed::<Line>::new(usize::MAX / 64).is_none());
        assert!(Zeroed::<Line>::new(usize::MAX).is_none());
    }
}
