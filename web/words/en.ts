/**
 * The words, in American English, that both applications use and those of the screens before signing in; the others
 * stand in en-app.ts. `{{name}}` is filled in; `_one` and `_other` follow `count`.
 */
export const en = {
  product: 'Tributary',
  title: '{{heading}} · Tributary',
  titleOf: '{{heading}} · {{account}} · Tributary',
  absent: '–',
  skip: 'Skip to content',
  dialogKept: 'What you typed into “{{dialog}}” before you were signed out is kept. Open it again to go on.',
  optional: '(optional)',

  pages: {
    signIn: 'Sign in',
    resetPassword: 'Reset password',
    chooseNewPassword: 'Choose a new password',
    userSetup: 'Set up your account',
    unsubscribe: 'Unsubscribe',
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
    backToProviders: 'Back to payment providers',
  },

  states: {
    loading: 'Loading...',
    wait: 'Please wait...',
    failed: 'Failed to load',
    errorId: 'Error {{id}}',
    empty: 'No data to show',
    offline: 'You are offline. Changes are not saved.',
    disabled: 'This account is disabled.',
    disabledWhy: 'Your data is kept, but no payouts are made and no emails are sent.',
    notFound: 'We couldn’t find that page. Check the address for typos, or it may have been removed.',
    welcome: 'You don’t have access to an account yet. Ask the company that invited you for a new link.',
  },

  errors: {
    network: 'We couldn’t reach the server. Check your connection and try again.',
    unexpected: 'Something went wrong on the server. Try again.',
    checkFields: 'Check the marked fields',
    credentials: 'Email or password is incorrect.',
    tooMany_one: 'Too many attempts. Try again in {{count}} second.',
    tooMany_other: 'Too many attempts. Try again in {{count}} seconds.',
    linkExpired: 'This link has expired.',
    linkUsed: 'This link has already been used.',
    otherUser: 'This invitation is for a different email. Sign out, then sign in with the invited email.',
  },

  fields: {
    email: 'Email',
    password: 'Password',
    newPassword: 'New Password',
    confirmPassword: 'Confirm Password',
    firstName: 'First Name',
    lastName: 'Last Name',
    showPassword: 'Show password',
    passwordHelp: 'At least 12 characters. A short sentence is easy to remember.',
  },

  rules: {
    required: '{{label}} is required',
    email: 'Enter a valid email address',
    password: 'Use at least 12 characters',
    same: 'Passwords do not match',
  },

  unsubscribe: {
    ask: 'Stop getting “{{title}}” emails?',
    turnOff: 'Turn off',
    off: 'You will no longer receive “{{title}}” emails.',
    turnOn: 'Turn back on',
    on: 'You will receive “{{title}}” emails again.',
    unknown: 'This link isn’t valid. Open it from the email again.',
    others: 'Choose other emails in your profile',
  },

  auth: {
    signIn: 'Sign in',
    forgot: 'Forgot password?',
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
    invitedBy: '{{inviter}} invited you to {{account}}.',
    invitedTo: 'You’ve been invited to {{account}}.',
    invitedEmail: 'You’ll sign in as {{email}}.',
    first: 'You’re the first administrator on this server.',
    existing: 'You already have a login. Sign in as {{email}}, then accept the invitation.',
    existingSignedIn: 'You’re signed in as {{email}}. Accept the invitation to add this account.',
    usedHelp: 'Your account is set up. Sign in to continue.',
  },
} as const
