const [BYTES, TEXT, MAP] = [2, 3, 5]

/**
 * Whether a browser's attestation object (CBOR) proves the authenticator's maker: `none`, as every browser is asked,
 * `some` or `malformed`. A proof is not read any further: libraries call the addresses that its certificates name.
 */
export function attestationIn(bytes: Buffer): 'none' | 'some' | 'malformed' {
  let at = 0
  /** The kind and the length of the next item; an indefinite length is none. */
  const head = () => {
    const first = bytes[at++] ?? 0
    const [kind, short] = [first >> 5, first & 31]
    if (short < 24) return { kind, length: short }
    const size = { 24: 1, 25: 2 }[short] ?? 0
    if (size === 0 || at + size > bytes.length) return { kind: undefined, length: 0 }
    at += size
    return { kind, length: bytes.readUIntBE(at - size, size) }
  }
  const next = (wanted: number) => {
    const { kind, length } = head()
    if (kind !== wanted || at + length > bytes.length) return undefined
    at += length
    return bytes.toString('latin1', at - length, at)
  }

  const { kind, length } = head()
  if (kind !== MAP || length !== 3) return 'malformed'
  const missing = new Set(['fmt', 'attStmt', 'authData'])
  for (let entry = 0; entry < 3; entry++) {
    const name = next(TEXT)
    if (name === undefined || !missing.delete(name)) return 'malformed'
    if (name === 'fmt') {
      const format = next(TEXT)
      if (format !== 'none') return format === undefined ? 'malformed' : 'some'
    } else if (name === 'attStmt') {
      const statement = head()
      if (statement.kind !== MAP || statement.length > 0) return statement.kind === MAP ? 'some' : 'malformed'
    } else if (next(BYTES) === undefined) return 'malformed'
  }
  return at === bytes.length ? 'none' : 'malformed'
}
