/** What the screens before signing in say of themselves to whoever shows a link to them; up to 160 letters. */
export const publicPageWords = {
  signIn: 'Sign in to your referral and partner program: links, leads, sales, commissions and payouts.',
  resetPassword: 'Ask for a link to choose a new password for your referral and partner program.',
  userSetup: 'Accept your invitation to a referral and partner program: choose a password and start.',
  unsubscribe: 'Choose which emails of your referral and partner program you get.',
} as const
