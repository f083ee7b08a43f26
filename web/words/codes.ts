import { defineWords } from '#contract/words.ts'
/** The words of the second factor, before and after signing in. */
export const codeWords = defineWords('code', 'before', {
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
  continue: 'Continue',
})
