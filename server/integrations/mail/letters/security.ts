import { accountOf, becauseOwner, becausePartner, said, writer } from '../letter.ts'

const because = 'You get this email because you have a login on Tributary.'
const resetAddress = 'https://partners.example.com/auth/reset-password'

/** `signInUrl` signs in once, for a user who knows the password but is delayed by failed tries of others. */
export const passwordReset = writer<{ url: string; signInUrl: string | null }>(
  { url: `${resetAddress}#token=sample`, signInUrl: 'https://partners.example.com/auth/sign-in#token=sample' },
  ({ url, signInUrl }) => ({
    account: null,
    subject: 'Reset your password',
    preview: 'The link works once, for 60 minutes.',
    parts: [
      'Someone, probably you, asked to reset the password for this email address.',
      'The link works once, for 60 minutes. If this wasn’t you, ignore this email. Your password won’t change.',
    ],
    button: { label: 'Choose a new password', url },
    showsLink: true,
    ...(signInUrl && {
      other: {
        label: 'Sign in',
        url: signInUrl,
        help: 'To keep your password, sign in with this link. It works once, for 15 minutes.',
      },
    }),
    because,
  }),
)

export const passwordChanged = writer({ url: resetAddress }, ({ url }) => ({
  account: null,
  subject: 'Your password was changed',
  preview: 'You were signed out everywhere else.',
  parts: [
    'The password for your account was changed, and you were signed out everywhere else.',
    'If this wasn’t you, reset your password now.',
  ],
  button: { label: 'Reset password', url },
  because,
}))

export const sessionEnded = writer({ url: resetAddress }, ({ url }) => ({
  account: null,
  subject: 'We ended one of your sessions',
  preview: 'Someone may have copied its sign-in token.',
  parts: [
    'A sign-in token from one of your sessions was used twice. Someone may have copied it, so we ended that session.',
    'If this happens again, or you don’t know why it happened, reset your password.',
  ],
  button: { label: 'Reset password', url },
  because,
}))

/** `accountName` is null for a user's own access token, and for an account without a name. */
export const newKey = writer<{ what: 'key' | 'token'; name: string; accountName: string | null; url: string }>(
  {
    what: 'key',
    name: 'Billing',
    accountName: 'Northwind',
    url: 'https://partners.example.com/integrations/push-data',
  },
  ({ what, name, accountName, url }) => ({
    account: accountName,
    subject: what === 'key' ? 'An API key was created' : 'An access token was created',
    preview: 'If this wasn’t you, delete it now.',
    parts: [
      what === 'key'
        ? `You created the API key ‘${said(name, 'without a name')}’ for ${accountOf(accountName)}.`
        : `You created the access token ‘${said(name, 'without a name')}’. It reads whatever you can read.`,
      `If this wasn’t you, delete ${what === 'key' ? 'this key' : 'this token'} and change your password.`,
    ],
    button: { label: what === 'key' ? 'Review API keys' : 'Review access tokens', url },
    because,
  }),
)

type Left = { keys: string[]; outgoing: string[]; incoming: string[] }

export const ownerChanged = writer<Left & { accountName: string | null; url: string }>(
  {
    accountName: 'Northwind',
    keys: ['Push data'],
    outgoing: ['CRM'],
    incoming: ['Website form'],
    url: 'https://partners.example.com/integrations/push-data',
  },
  ({ accountName, keys, outgoing, incoming, url }) => ({
    account: accountName,
    subject: 'You own this account now',
    preview: 'Review what was set up before you.',
    parts: [
      `You are the owner of ${accountOf(accountName)}. The owner before you can no longer sign in to it, and API keys can no longer read its data.`,
      ...(keys.length + outgoing.length + incoming.length > 0
        ? [
            'These were set up before you and go on working. Replace or delete those that you don’t know.',
            {
              facts: [
                { label: 'API keys', value: namesOf(keys) },
                { label: 'Outgoing webhooks', value: namesOf(outgoing) },
                { label: 'Incoming webhooks', value: namesOf(incoming) },
              ].filter(({ value }) => value !== ''),
            },
          ]
        : []),
    ],
    button: { label: 'Review API keys', url },
    because: becauseOwner(accountName),
  }),
)

const namesOf = (names: string[]) => names.map((name) => said(name, 'one without a name')).join(', ')

export const payoutSettings = writer<{ accountName: string | null; url: string }>(
  { accountName: 'Northwind', url: 'https://partners.example.com/partner/settings' },
  ({ accountName, url }) => ({
    account: accountName,
    subject: 'Your payout details were changed',
    preview: 'If this wasn’t you, act now.',
    parts: [
      `The bank details for your payouts from ${accountOf(accountName)} were replaced or removed.`,
      'Automatic payouts pause for the next 72 hours. If this wasn’t you, reset your password and contact the program right away.',
    ],
    button: { label: 'Review payout details', url },
    because: becausePartner(accountName),
  }),
)

export const test = writer<{ sentBy: string; at: string; url: string }>(
  { sentBy: 'root@install.example', at: 'Nov 20, 2026, 10:00 UTC', url: 'https://partners.example.com/admin/mail' },
  ({ sentBy, at, url }) => ({
    account: null,
    subject: 'Test email from Tributary',
    preview: 'Emails of this install arrive.',
    parts: [
      'This is a test. If you can read it, emails of this install arrive.',
      {
        facts: [
          { label: 'Sent by', value: sentBy },
          { label: 'Sent at', value: at },
        ],
      },
    ],
    button: { label: 'Open email settings', url },
    because: 'You get this email because an administrator entered this address.',
  }),
)
