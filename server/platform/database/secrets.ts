import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Everything sealed or derived with the install's secret key (32 bytes).
 * Sealing is AES-256-GCM; the context (`table|column|row|account`) is authenticated with it, so that a ciphertext moved
 * elsewhere cannot be opened (security.md, section 6).
 */
export type Secrets = {
  seal(text: string, place: string): Buffer
  open(sealed: Buffer, place: string): string
  /** Returns 256 bits, base64url, always the same for the same purpose and text. */
  derive(purpose: string, text: string): string
  /** Identifies this key without revealing anything about it. */
  keyId: string
}

const VERSION = 1

/** Returns the id of the key with which a value was sealed. */
export const readKeyId = (sealed: Buffer) => sealed.subarray(1, 5).toString('hex')

export function createSecrets(key: Buffer): Secrets {
  const subkey = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `tributary/${purpose}`, 32))
  const sealing = subkey('seal')
  const keyId = createHash('sha256').update(subkey('key-id')).digest().subarray(0, 4)
  const derivations = new Map<string, Buffer>()
  return {
    keyId: keyId.toString('hex'),
    seal(text, place) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealing, iv, { authTagLength: 16 })
      cipher.setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([VERSION]), keyId, iv, cipher.getAuthTag(), body])
    },
    open(sealed, place) {
      if (sealed[0] !== VERSION || !sealed.subarray(1, 5).equals(keyId)) throw new Error('sealed with another key')
      const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(5, 17), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(sealed.subarray(17, 33))
      return Buffer.concat([decipher.update(sealed.subarray(33)), decipher.final()]).toString('utf8')
    },
    derive(purpose, text) {
      let derivation = derivations.get(purpose)
      if (!derivation) {
        derivation = subkey(`derive/${purpose}`)
        derivations.set(purpose, derivation)
      }
      return createHmac('sha256', derivation).update(text).digest('base64url')
    },
  }
}

/** Returns the text, or null if this key in this place does not open it. */
export function openIfOurs(secrets: Secrets, sealed: Buffer, place: string): string | null {
  try {
    return secrets.open(sealed, place)
  } catch {
    return null
  }
}

/** Returns the stored form of a token: it can be recognised, not read. */
export const tokenHash = (token: string) => createHash('sha256').update(token).digest()

/** Returns 256 random bits, base64url. */
export const newToken = () => randomBytes(32).toString('base64url')
