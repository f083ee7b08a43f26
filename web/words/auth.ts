import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of the page that turns emails off. */
export const unsubscribeWords = defineWords('unsubscribe', 'before', {
  ask: ({ title }: { title: Word }) => `Stop getting “${title}” emails?`,
  turnOff: 'Turn off',
  off: ({ title }: { title: Word }) => `You will no longer receive “${title}” emails.`,
  turnOn: 'Turn back on',
  on: ({ title }: { title: Word }) => `You will receive “${title}” emails again.`,
  unknown: 'This link isn’t valid. Open it from the email again.',
  others: 'Choose which emails you get in your profile',
})

/** The words of the page that confirms an application. */
export const confirmWords = defineWords('confirm', 'before', {
  facts: 'Your application',
  /** An account without a name. */
  company: 'the company',
  ask: ({ account }: { account: Word }) => `Check your application to become a partner of ${account}, then confirm it.`,
  name: 'Name',
  invitedBy: 'Invited by',
  confirm: 'Confirm',
  waiting: ({ account }: { account: Word }) => `We’ll email you when ${account} has decided.`,
  approved: ({ account }: { account: Word }) => `Your application to ${account} was approved.`,
  goOn: 'Set up your account',
  expired: 'This link has expired or was already used.',
  expiredHelp:
    'If you confirmed your application, you’ll get an email with the decision. If you didn’t, apply again on the company’s page.',
  noToken: 'Open the link in your email again.',
})

/** The words of signing in, of invitations and of setting up. */
export const authWords = defineWords('auth', 'before', {
  signIn: 'Sign in',
  forgot: 'Forgot password?',
  signInWith: ({ name }: { name: Word }) => `Sign in with ${name}`,
  oidcFailed: 'Signing in was canceled, or the link isn’t valid anymore. Start again.',
  byLink: 'This link signs you in once. Your password doesn’t change.',
  noAccount: 'No account? Ask the company that invited you for a new link.',
  sendResetLink: 'Send reset link',
  resetHelp: 'Enter your email and we’ll send you a link. It works for 60 minutes.',
  resetSent: 'If an account exists for this email, a reset link is on its way.',
  changePassword: 'Change password',
  backToSignIn: 'Back to sign in',
  finish: 'Finish setup',
  accept: 'Accept invitation',
  sendNewLink: 'Send a new link',
  newLinkSent: 'If there’s a pending invitation for this email, a new link is on its way.',
  newLinkHelp: 'Enter the invited email and we’ll send a new link.',
  openLink: 'Open your invitation link again, or request a new one.',
  invitedBy: ({ inviter, account }: { inviter: Word; account: Word }) => `${inviter} invited you to ${account}.`,
  invitedTo: ({ account }: { account: Word }) => `You’ve been invited to ${account}.`,
  invitedEmail: ({ email }: { email: Word }) => `You’ll sign in as ${email}.`,
  first: 'You’re the first administrator on this server.',
  company: 'Your company',
  companyWhy: 'You own this account, and your partners join it. Leave the name empty to add accounts later.',
  currencyHelp: 'You can change it until the first sale.',
  timeZoneHelp: 'Days and paydays begin at midnight there.',
  website: 'Website',
  websiteHelp: 'Where your partners’ links lead. It becomes your first link.',
  websiteWrong: 'Enter a full https address',
  commissionHelp: 'The share of each sale that the referring partner earns. You can change it at any time.',
  commissionNone: 'Partners earn nothing until you set a rate.',
  existing: ({ email }: { email: Word }) =>
    `You already have an account. Sign in as ${email}, then accept the invitation.`,
  existingSignedIn: ({ email }: { email: Word }) =>
    `You’re signed in as ${email}. Accept the invitation to add this account.`,
  usedHelp: 'Your account is set up. Sign in to continue.',
})
