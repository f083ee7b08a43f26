import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

// Certificates for stand-ins, encoded in DER by hand, because Node has no function that creates them.

export type Issued = { pem: string; key: KeyObject }
type Wanted = {
  name: string
  /** The issuer; by default the certificate is self-signed. */
  issuer?: Issued & { name: string }
  authority?: boolean
  /** By default one that belongs to the name. */
  key?: KeyObject
  /** Further extensions, such as `revokedAt(…)`. */
  extensions?: Buffer[]
  from?: Date
  to?: Date
}

const DAY = 86_400_000

// creating one takes longer than most tests, so each name has one
const keys = new Map<string, KeyObject>()
function keyOf(name: string): KeyObject {
  const key = keys.get(name) ?? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  keys.set(name, key)
  return key
}

let serial = 1

/** A certificate of this name with its own key. */
export function issueCertificate(wanted: Wanted): Issued & { name: string } {
  const { name, issuer, authority = false, key = keyOf(wanted.name), ...valid } = wanted
  const { from = new Date(Date.now() - DAY), to = new Date(Date.now() + 365 * DAY) } = valid
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const algorithm = sequence(oid([42, 134, 72, 134, 247, 13, 1, 1, 11]), der(0x05))
  const extensions = [
    extension([85, 29, 19], authority ? sequence(der(0x01, Buffer.from([0xff]))) : sequence()),
    extension([85, 29, 17], sequence(der(0x82, Buffer.from(name)))),
    ...(wanted.extensions ?? []),
  ]
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([0x10, ++serial])),
    algorithm,
    named(issuer?.name ?? name),
    sequence(time(from), time(to)),
    named(name),
    spki,
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, issuer?.key ?? key)
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = whole
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  return { name, key, pem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const bytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (bytes: number[]) => der(0x06, Buffer.from(bytes))
const named = (name: string) => sequence(der(0x31, sequence(oid([85, 4, 3]), der(0x0c, Buffer.from(name)))))
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`))
const extension = (id: number[], value: Buffer) => sequence(oid(id), der(0x04, value))

/** Names the address of the list of revoked certificates. */
export const revokedAt = (url: string) =>
  extension([85, 29, 31], sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(url)))))))

/** The description of a key in an Android device, made for this challenge. */
export const androidKey = (challenge: Buffer) => {
  const [one, software] = [der(0x02, Buffer.from([1])), der(0x0a, Buffer.from([0]))]
  const described = [one, software, one, software, der(0x04, challenge), der(0x04), sequence(), sequence()]
  return extension([43, 6, 1, 4, 1, 214, 121, 2, 1, 17], sequence(...described))
}
