import { formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of both applications: before signing in and after. */
export const basicWords = defineWords('basic', 'before', {
  product: 'Tributary',
  title: ({ heading }: { heading: Word }) => `${heading} · Tributary`,
  titleOf: ({ heading, account }: { heading: Word; account: Word }) => `${heading} · ${account} · Tributary`,
  titleIn: ({ tab, entry }: { tab: Word; entry: Word }) => `${tab} · ${entry}`,
  absent: '–',
  skip: 'Skip to content',
  optional: '(optional)',

  pages: {
    signIn: 'Sign in',
    signingIn: 'Signing in',
    resetPassword: 'Reset password',
    chooseNewPassword: 'Choose a new password',
    userSetup: 'Set up your account',
    unsubscribe: 'Unsubscribe',
    confirmApplication: 'Confirm your application',
  },

  actions: {
    heading: 'Actions',
    page: 'Page actions',
    on: ({ name }: { name: Word }) => `Actions for ${name}`,
    breadcrumb: 'Breadcrumb',
    goHome: 'Go to home',
    more: 'More',
    tryAgain: 'Try again',
    contactUs: 'Contact us',
    copy: 'Copy',
    copyLink: ({ name }: { name: Word }) => `Copy link for ${name}`,
    edit: 'Edit',
    viewAll: 'View all',
    viewAllSales: 'View all sales',
    backToProviders: 'Back to payment providers',
  },

  states: {
    loading: 'Loading...',
    wait: 'Please wait...',
    failed: 'Failed to load',
    errorId: ({ id }: { id: Word }) => `Error ${id}`,
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
    tooMany: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `Too many attempts. Try again in ${count} second.`,
        `Too many attempts. Try again in ${count} seconds.`,
      ),
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
    accountName: 'Account Name',
    defaultCurrency: 'Default Currency',
    commission: 'Commission (%)',
    showPassword: 'Show password',
    language: 'Language',
    passwordHelp: 'At least 12 characters. A short sentence is easy to remember.',
  },

  rules: {
    required: ({ label }: { label: Word }) => `${label} is required`,
    email: 'Enter a valid email address',
    password: 'Use at least 12 characters',
    same: 'Passwords do not match',
    rate: 'Enter a rate from 0 to 100',
  },
})
