/// The types of a tensor's elements, with ONNX's own numbers (`TensorProto.DataType` in onnx.proto).
package enum ONNXElementType: Int, Sendable {
    case float32 = 1
    case uint8, int8, uint16, int16, int32, int64
    case string, bool
    case float16, float64
    case uint32, uint64
    case complex64, complex128
    case bfloat16
    case float8E4M3FN, float8E4M3FNUZ, float8E5M2, float8E5M2FNUZ
    case uint4, int4, float4E2M1
    case float8E8M0
    case uint2, int2

    /// The size of one element in `raw_data`; nil for text, which has no fixed size.
    package var bits: Int? {
        switch self {
        case .string: nil
        case .uint2, .int2: 2
        case .uint4, .int4, .float4E2M1: 4
        case .uint8, .int8, .bool: 8
        case .float8E4M3FN, .float8E4M3FNUZ, .float8E5M2, .float8E5M2FNUZ, .float8E8M0: 8
        case .uint16, .int16, .float16, .bfloat16: 16
        case .float32, .int32, .uint32: 32
        case .float64, .int64, .uint64, .complex64: 64
        case .complex128: 128
        }
    }
}

extension ONNXElementType: CustomStringConvertible {
    package var description: String {
        switch self {
        case .float32: "float32"
        case .uint8: "uint8"
        case .int8: "int8"
        case .uint16: "uint16"
        case .int16: "int16"
        case .int32: "int32"
        case .int64: "int64"
        case .string: "string"
        case .bool: "bool"
        case .float16: "float16"
        case .float64: "float64"
        case .uint32: "uint32"
        case .uint64: "uint64"
        case .complex64: "complex64"
        case .complex128: "complex128"
        case .bfloat16: "bfloat16"
        case .float8E4M3FN: "float8e4m3fn"
        case .float8E4M3FNUZ: "float8e4m3fnuz"
        case .float8E5M2: "float8e5m2"
        case .float8E5M2FNUZ: "float8e5m2fnuz"
        case .uint4: "uint4"
        case .int4: "int4"
        case .float4E2M1: "float4e2m1"
        case .float8E8M0: "float8e8m0"
        case .uint2: "uint2"
        case .int2: "int2"
        }
    }
}
