import type * as room from '../second-factor.ts'
import type { ExamplesOf } from './example.ts'
import { ids } from './objects.ts'

const CREDENTIAL = 'q3vNqVqk0iQyqkbqzwmR1g'
export const totpCode = '492039'
const CHALLENGE = 'JwhhY1pTmYn3V5p0yWlBq0mQ8iD2r7kX1u4Z6sT9cEo'
const RECOVERY_CODES = ['7K3M-9QXV-2TRA-H8WD', 'P4ZN-6B1C-J0YE-5GSF']

export const passkeyAssertion: room.PasskeyAssertion = {
  id: CREDENTIAL,
  rawId: CREDENTIAL,
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDx0Zt0',
    userHandle: null,
  },
  clientExtensionResults: {},
}

export const passkeyCreation: room.PasskeyCreation = {
  id: CREDENTIAL,
  rawId: CREDENTIAL,
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
    transports: ['internal'],
  },
  clientExtensionResults: {},
}

const passkey: room.Passkey = {
  id: ids.userToken,
  name: 'Laptop',
  createdAt: '2026-07-14T10:08:02.174Z',
  lastUsedAt: '2026-07-27T21:01:00.000Z',
}

export const secondFactor: ExamplesOf<typeof room> = {
  getSignInMethods: { reply: { passkeys: true, oidc: { name: 'Okta', only: false }, ownDomain: false } },
  startPasskey: {
    refused: ['passkeys_unavailable'],
    reply: { challenge: CHALLENGE, rpId: 'partners.acme.example', userVerification: 'required', timeout: 300_000 },
  },
  getSecondFactor: {
    reply: {
      totp: { createdAt: '2026-07-14T10:08:02.174Z' },
      passkeys: [passkey],
      recoveryCodesLeft: 9,
      requiredBy: ['Acme'],
    },
  },
  startTotp: {
    refused: ['password_first'],
    reply: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Acme:elena%40acme.example?issuer=Acme&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    },
  },
  addTotp: {
    refused: ['code_wrong', 'password_first', 'session_ended', 'too_many_attempts', 'totp_not_started'],
    body: { code: totpCode },
    reply: { recoveryCodes: RECOVERY_CODES },
  },
  removeTotp: { refused: ['password_first', 'second_factor_required_here'] },
  startAddingPasskey: {
    refused: ['passkeys_unavailable', 'password_first', 'too_many_passkeys'],
    reply: { challenge: CHALLENGE, rp: { id: 'partners.acme.example', name: 'Tributary' } },
  },
  addPasskey: {
    refused: [
      'passkey_attested',
      'passkey_known',
      'passkey_wrong',
      'password_first',
      'session_ended',
      'too_many_passkeys',
    ],
    body: { name: 'Laptop', credential: passkeyCreation },
    reply: { passkey: { ...passkey, lastUsedAt: null }, recoveryCodes: null },
  },
  removePasskey: { refused: ['password_first', 'second_factor_required_here'], params: { id: passkey.id } },
  renewRecoveryCodes: {
    refused: ['password_first', 'second_factor_first'],
    reply: { recoveryCodes: RECOVERY_CODES },
  },
}
