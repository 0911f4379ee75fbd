import CKernels
import Glibc
import Synchronization

/// A layer's weights in the forms that its kernels read, each made when it is first asked for.
// SAFETY: `forms` is only touched under the lock; what it holds is never changed.
final class PackedWeights: Sendable {
    let source: any WeightSource
    private let forms = Mutex<[ConvolutionForm: AlignedBuffer]>([:])

    init(_ source: any WeightSource) { self.source = source }

    /// The weights in `form`, made by `make` the first time.
    func packed(_ form: ConvolutionForm, make: (WeightValues) -> AlignedBuffer) -> AlignedBuffer {
        forms.withLock { forms in
            if let buffer = forms[form] { return buffer }
            var buffer = AlignedBuffer(count: 0)
            source.withValues { buffer = make($0) }
            source.release()
            forms[form] = buffer
            return buffer
        }
    }
}

/// Memory of this thread's own, for what a kernel needs while it runs: grows to the largest request
/// and is freed with the thread.
enum ThreadScratch {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { raw in
            if let raw { Unmanaged<Holder>.fromOpaque(raw).release() }
        }
        return key
    }()

    private final class Holder {
        var buffer = AlignedBuffer(count: 0)
    }

    /// At least `count` floats, on a cache line's border; what they hold is undefined.
    // SAFETY: valid until this thread asks again; only this thread sees it.
    static func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
        let holder: Holder
        if let raw = pthread_getspecific(key) {
            holder = Unmanaged<Holder>.fromOpaque(raw).takeUnretainedValue()
        } else {
            holder = Holder()
            pthread_setspecific(key, Unmanaged.passRetained(holder).toOpaque())
        }
        if holder.buffer.count < count { holder.buffer = AlignedBuffer(count: count, isZeroed: false) }
        return holder.buffer.base
    }
}
