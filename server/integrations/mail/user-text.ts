import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** Texts of mails about a person's login and access. */
export const userMailPhrases = defineWords('user-mail', 'server', {
  signIn: 'Sign in',
  resetPassword: 'Reset password',
  reviewSignIn: 'Review your sign-in',
  actNow: 'If this wasn’t you, act now.',
  passwordReset: {
    subject: 'Reset your password',
    preview: 'The link works once, for 60 minutes.',
    asked: 'Someone, probably you, asked to reset the password for this email address.',
    linkWorks:
      'The link works once, for 60 minutes. If this wasn’t you, ignore this email. Your password won’t change.',
    choose: 'Choose a new password',
    signInHelp: 'To keep your password, sign in with this link. It works once, for 15 minutes.',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    preview: 'You were signed out everywhere else.',
    text: 'The password for your account was changed, and you were signed out everywhere else.',
    help: 'If this wasn’t you, reset your password now.',
  },
  sessionEnded: {
    subject: 'We ended one of your sessions',
    preview: 'Someone may have copied its sign-in token.',
    text: 'A sign-in token from one of your sessions was used twice. Someone may have copied it, so we ended that session.',
    help: 'If this happens again, or you don’t know why it happened, reset your password.',
  },
  secondFactor: {
    added: {
      totp: 'An authenticator app was added to your sign-in',
      passkey: 'A passkey was added to your sign-in',
    },
    removed: {
      totp: 'An authenticator app was removed from your sign-in',
      passkey: 'A passkey was removed from your sign-in',
    },
    reset: 'Your second factor was reset',
    codes: 'Your recovery codes were replaced',
    resetText:
      'The people who run this server removed your authenticator app and passkeys. You were signed out everywhere, and sign in with your password alone until you set up a second factor again.',
    help: 'If this wasn’t you, change your password now and tell the people who run this server.',
  },
  recoveryCode: {
    subject: 'A recovery code was used to sign in',
    used: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `Someone signed in to your account with one of your recovery codes. You have ${formatNumber(count)} code left.`,
        `Someone signed in to your account with one of your recovery codes. You have ${formatNumber(count)} codes left.`,
      ),
    last: 'Someone signed in to your account with your last recovery code. Create new ones on your profile.',
    help: 'If this wasn’t you, change your password and replace your recovery codes now.',
  },
  singleSignOn: {
    name: 'single sign-on',
    subject: ({ name }: { name: Word }) => `Sign in with ${name}`,
    preview: 'You don’t need a password here.',
    text: ({ name }: { name: Word }) =>
      `You asked for a link to sign in. Your company signs you in with ${name}, so there is no password to reset.`,
    help: 'If you didn’t ask for it, you can ignore this email.',
  },
  newKey: {
    unnamed: 'without a name',
    key: {
      preview: 'If this wasn’t you, delete it now.',
      subject: 'An API key was created',
      text: ({ name, account }: { name: Word; account: Word }) => `You created the API key ‘${name}’ for ${account}.`,
      help: 'If this wasn’t you, delete this key and change your password.',
      review: 'Review API keys',
    },
    token: {
      preview: 'If this wasn’t you, delete it now.',
      subject: 'An access token was created',
      text: ({ name }: { name: Word }) => `You created the access token ‘${name}’. It can read everything you can.`,
      help: 'If this wasn’t you, delete this token and change your password.',
      review: 'Review access tokens',
    },
  },
  access: {
    open: 'Open Tributary',
    asked: {
      subject: ({ account }: { account: Word }) => `${account} invites a new owner of your partner account`,
      preview: 'If you don’t expect this, act now.',
      text: ({ account, email, partner }: { account: Word; email: Word; partner: Word }) =>
        `${account} invited ${email} as an owner of ${partner}, a partner of ${account}. Once they accept, they see and can change the payout details, and automatic payouts pause for 72 hours.`,
      help: 'If you don’t expect this, remove them in your settings and contact the program right away.',
    },
    subject: {
      given: ({ account }: { account: Word }) => `You joined ${account}’s partner program`,
      changed: ({ account }: { account: Word }) => `Your role in ${account} was changed`,
      taken: ({ account }: { account: Word }) => `Your access to ${account} was removed`,
    },
    applies: 'It applies from now on.',
    workKept: 'Your past work there is kept.',
    inTeam: {
      owner: ({ account }: { account: Word }) => `You are now an owner of ${account}.`,
      manager: ({ account }: { account: Word }) => `You are now a manager of ${account}.`,
      finance: ({ account }: { account: Word }) => `You are now in the finance team of ${account}.`,
      viewer: ({ account }: { account: Word }) => `You are now a viewer of ${account}.`,
      taken: ({ account }: { account: Word }) => `You can no longer open ${account}.`,
      help: 'If you don’t expect this, ask an owner of the account.',
    },
    atPartner: {
      owner: ({ account, partner }: { account: Word; partner: Word }) =>
        `You are now an owner of ${partner}, a partner of ${account}.`,
      member: ({ account, partner }: { account: Word; partner: Word }) =>
        `You are now a member of ${partner}, a partner of ${account}.`,
      taken: ({ account, partner }: { account: Word; partner: Word }) =>
        `You can no longer open ${partner}, a partner of ${account}.`,
      help: 'If you don’t expect this, ask an owner of the partner.',
    },
  },
})
