import type { Word } from './say.ts'

/** The words of the second factor, before and after signing in. */
export const codeWords = {
  code: 'Authentication Code',
  codeHelp: 'The six digits your authenticator app shows.',
  recoveryCode: 'Recovery Code',
  recoveryHelp: 'Sixteen letters and digits. Each code works once.',
  useRecovery: 'Use a recovery code',
  useApp: 'Use your authenticator app',
  wrong: 'That code is not valid. Codes change every 30 seconds.',
  withPasskey: 'Sign in with a passkey',
  usePasskey: 'Use a passkey',
  passkeyOnly: 'Your password is right. Now use your passkey to sign in.',
  or: 'or',
  continue: 'Continue',
}

/** The words of signing in, on the profile. */
export const signInWords = {
  heading: 'Sign-in',
  required: 'Set up a second factor to go on',
  requiredWhy: ({ names }: { names: Word }) =>
    `${names} can be opened only with an authenticator app or a passkey. Add one below.`,
  app: 'Authenticator app',
  appWhy: 'An app on your phone shows a code that you enter after your password.',
  appOn: ({ date }: { date: Word }) => `On since ${date}`,
  setUp: 'Set up',
  remove: 'Remove',
  scan: 'Scan this with your authenticator app, then enter the code it shows.',
  qr: 'QR code for your authenticator app',
  key: 'Key',
  keyHelp: 'If you can’t scan, type this into the app.',
  appAdded: 'Authenticator app added',
  removeApp: 'Remove authenticator app',
  appRemoved: 'Authenticator app removed',
  removeWhy: 'You’ll stay signed in here.',
  passkeys: 'Passkeys',
  passkeysWhy: 'Sign in with your fingerprint, face, device PIN or a security key. No password needed.',
  noPasskeys: 'Passkeys work only where this server is opened by a host name with https.',
  addPasskey: 'Add passkey',
  passkeyName: 'Name',
  passkeyNameHelp: 'Such as the device it is on.',
  passkeyAdded: 'Passkey added',
  removePasskey: ({ name }: { name: Word }) => `Remove ${name}`,
  passkeyRemoved: 'Passkey removed',
  lastUsed: ({ ago }: { ago: Word }) => `Last used ${ago}`,
  neverUsed: 'Never used',
  recoveryCodes: 'Recovery codes',
  recoveryWhy: 'Each stands in once for a lost phone or passkey. Keep them where you keep your passwords.',
  left: ({ count }: { count: number }) => (count === 1 ? '1 code left' : `${count} codes left`),
  few: ({ count }: { count: number }) =>
    count === 0
      ? 'You have no recovery codes left. Create new ones before you lose your phone.'
      : `Only ${count === 1 ? '1 recovery code is' : `${count} recovery codes are`} left. Create new ones soon.`,
  showNew: 'Show new codes',
  newWhy: 'Your present codes stop working.',
  onlyOnce: 'Save these codes now. They won’t be shown again.',
  copy: 'Copy',
  download: 'Download',
  file: 'tributary-recovery-codes.txt',
  done: 'I’ve saved them',
  renewed: 'Recovery codes created',
  method: 'Method',
  methods: { password: 'Password', passkey: 'Passkey', oidc: 'Single sign-on', link: 'Email link' },
}
