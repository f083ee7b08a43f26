/** Descriptions of the screens before signing in, for link previews; at most 160 characters. */
export const publicPageWords = {
  signIn: 'Sign in to your referral and partner program: links, leads, sales, commissions and payouts.',
  resetPassword: 'Request a link to choose a new password for your referral and partner program.',
  userSetup: 'Accept your invitation to a referral and partner program: choose a password and start.',
  confirmApplication: 'Confirm your application to become a partner.',
  unsubscribe: 'Choose which emails you get from your referral and partner program.',
} as const
