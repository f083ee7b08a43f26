/**
 * The words, in American English, that both applications use and those of the screens before signing in; the others
 * stand in en-app.ts. `{{name}}` is filled in; `_one` and `_other` follow `count`.
 */
export const en = {
  product: 'Tributary',
  title: '{{heading}} · Tributary',
  absent: '–',
  skip: 'Skip to content',
  optional: '(optional)',

  pages: {
    signIn: 'Sign in',
    resetPassword: 'Reset password',
    chooseNewPassword: 'Choose a new password',
    userSetup: 'Set up your account',
  },

  actions: {
    page: 'Page actions',
    breadcrumb: 'Breadcrumb',
    goHome: 'Go to home',
    tryAgain: 'Try again',
    contactUs: 'Contact us',
    copy: 'Copy',
    copyLink: 'Copy link for {{name}}',
    viewAll: 'View all',
    viewAllSales: 'View all sales',
    dismiss: 'Dismiss',
    backToProviders: 'Back to payment providers',
  },

  states: {
    loading: 'Loading...',
    wait: 'Please wait...',
    failed: 'Failed to load',
    errorId: 'Error {{id}}',
    empty: 'No data to show',
    offline: 'You are offline. Changes are not saved.',
    copied: 'Copied',
    disabled: 'This account is disabled.',
    disabledWhy: 'Your data is kept. No payouts are made and no mail is sent.',
    notFound: 'This address leads nowhere. It may be mistyped, or the page was removed.',
    welcome: 'You have no role yet. Ask the company that invited you for a new link.',
  },

  errors: {
    network: 'The server did not answer. Check your connection and try again.',
    unexpected: 'Something went wrong on the server. Try again.',
    checkFields: 'Check the marked fields',
    credentials: 'Email or password is incorrect.',
    tooMany_one: 'Too many attempts. Try again in {{count}} seconds.',
    tooMany_other: 'Too many attempts. Try again in {{count}} seconds.',
    linkExpired: 'This link has expired.',
    linkUsed: 'This link has already been used.',
    otherUser: 'This invitation is for someone else. Sign out, then sign in with the email that was invited.',
  },

  fields: {
    email: 'Email',
    password: 'Password',
    newPassword: 'New Password',
    confirmPassword: 'Confirm Password',
    firstName: 'First Name',
    lastName: 'Last Name',
    showPassword: 'Show password',
    passwordHelp: 'At least 12 characters. A sentence is easy to remember.',
  },

  rules: {
    required: '{{label}} is required',
    email: 'Enter a valid email address',
    password: 'Use at least 12 characters',
    same: 'Passwords do not match',
  },

  auth: {
    signIn: 'Sign in',
    forgot: 'Forgot password?',
    byLink: 'This link signs you in once. Your password stays as it is.',
    noAccount: 'No account? Ask the company that invited you for a new link.',
    sendResetLink: 'Send reset link',
    resetHelp: 'Enter your email. The link we send works for 60 minutes.',
    resetSent: 'If an account exists for this email, a reset link is on its way.',
    changePassword: 'Change password',
    backToSignIn: 'Back to sign in',
    requestNewLink: 'Request a new link',
    finish: 'Finish setup',
    accept: 'Accept invitation',
    sendNewLink: 'Send a new link',
    newLinkSent: 'If an invitation is open for this email, a new link is on its way.',
    newLinkHelp: 'Enter the email that was invited and we send a new link.',
    openLink: 'Open the link of your invitation again, or ask for a new one.',
    invitedBy: '{{inviter}} invited you to {{account}}.',
    invitedTo: 'You are invited to {{account}}.',
    invitedEmail: 'You sign in as {{email}}.',
    first: 'You are the first administrator of this installation.',
    existing: 'You already have a sign-in. Sign in as {{email}}, then accept the invitation.',
    existingSignedIn: 'You already have a sign-in as {{email}}. Accept the invitation to add it.',
    usedHelp: 'Your account is set up. Sign in to continue.',
  },
} as const
