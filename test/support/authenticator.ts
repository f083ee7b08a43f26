import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { PasskeyAssertion, PasskeyCreation } from '#contract/second-factor.ts'
import { androidKey, issueCertificate, revokedAt } from '../fakes/certificates.ts'

const text = (value: Buffer) => value.toString('base64url')

type Cbor = number | Buffer | string | Cbor[] | Map<number | string, unknown>

/** CBOR of the few things that a credential consists of: whole numbers, bytes, texts, and lists and maps of these. */
export function encodeCbor(value: Cbor): Buffer {
  const head = (major: number, length: number) =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, of]) => [encodeCbor(key), encodeCbor(of as never)]),
  ])
}

type Attestation = { fmt: string; attStmt: Map<string, Cbor> }

type Odd = {
  origin?: string
  rpId?: string
  userVerified?: boolean
  counter?: number
  type?: string
  attestation?: (made: { authData: Buffer; client: Buffer; privateKey: KeyObject }) => Attestation | Buffer
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** The statement of an authenticator that signs with the passkey itself, which none was asked for. */
export const packed: Odd['attestation'] = ({ authData, client, privateKey }) => {
  const sig = sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey)
  return {
    fmt: 'packed',
    attStmt: new Map<string, Cbor>([
      ['alg', -7],
      ['sig', sig],
    ]),
  }
}

/** The statement of an Android device by an authority of its own, whose list of revoked certificates is at `url`. */
export const androidKeyRevokedAt =
  (url: string): Odd['attestation'] =>
  ({ authData, client, privateKey }) => {
    const root = issueCertificate({ name: 'own-root.example', authority: true })
    const extensions = [androidKey(sha256(client)), revokedAt(url)]
    const leaf = issueCertificate({ name: 'leaf.example', issuer: root, key: privateKey, extensions })
    const sig = sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey)
    return {
      fmt: 'android-key',
      attStmt: new Map<string, Cbor>([
        ['alg', -7],
        ['sig', sig],
        ['x5c', [leaf, root].map(({ pem }) => new X509Certificate(pem).raw)],
      ]),
    }
  }

/** An authenticator with one passkey for a host, as a security key would answer. */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly id = randomBytes(16)
  readonly #origin: string
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Returns the answer to creation options, as `navigator.credentials.create()` does. */
  create(challenge: string, odd: Odd = {}): PasskeyCreation {
    const { x, y } = (this.#keys.publicKey as KeyObject).export({ format: 'jwk' }) as { x: string; y: string }
    const key = encodeCbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, key])
    const authData = Buffer.concat([this.#data(0x40, odd), credential])
    const client = this.#client('webauthn.create', challenge, odd)
    const { privateKey } = this.#keys
    const attested = odd.attestation?.({ authData, client, privateKey }) ?? { fmt: 'none', attStmt: new Map() }
    return {
      ...this.#named,
      response: {
        clientDataJSON: text(client),
        attestationObject: text(
          Buffer.isBuffer(attested) ? attested : encodeCbor(new Map(Object.entries({ ...attested, authData }))),
        ),
        transports: ['internal'],
      },
    }
  }

  /** Returns the answer to request options, as `navigator.credentials.get()` does. */
  get(challenge: string, odd: Odd = {}): PasskeyAssertion {
    const data = this.#data(0, odd)
    const client = this.#client('webauthn.get', challenge, odd)
    const signed = createSign('sha256')
      .update(Buffer.concat([data, createHash('sha256').update(client).digest()]))
      .sign(this.#keys.privateKey)
    const response = { clientDataJSON: text(client), authenticatorData: text(data), signature: text(signed) }
    return { ...this.#named, response }
  }

  get #named() {
    return {
      id: text(this.id),
      rawId: text(this.id),
      type: 'public-key' as const,
      clientExtensionResults: {},
    }
  }

  #client(type: string, challenge: string, odd: Odd) {
    return Buffer.from(
      JSON.stringify({ type: odd.type ?? type, challenge, origin: odd.origin ?? this.#origin, crossOrigin: false }),
    )
  }

  #data(flags: number, { rpId = new URL(this.#origin).hostname, userVerified = true, counter }: Odd) {
    this.#counter = counter ?? this.#counter + 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#counter)
    const present = 0x01 | (userVerified ? 0x04 : 0)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([present | flags]), count])
  }
}

/** The code that an authenticator app shows at this time. */
export const totpCode = (secret: string, at: Date) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })
