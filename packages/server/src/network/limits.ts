/** Bytes of a request body. */
export const body_bytes_max = 16_384;
