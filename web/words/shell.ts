import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words around every screen. */
export const shellWords = defineWords('shell', 'partner', {
  playThrough: 'Play a sale through',

  navigation: {
    main: 'Main',
    open: 'Open navigation',
    close: 'Close navigation',
    admin: 'Admin',
    integrations: 'Integrations',
    search: 'Search or jump to',
    searchKeys: 'Ctrl K',
    searchKeysApple: '⌘K',
    running: ({ count }: { count: number }) => `${formatNumber(count)} running`,
    environment: { local: 'Local', staging: 'Staging' },
  },

  header: {
    switchRole: ({ label }: { label: Word }) => `Switch role, current: ${label}`,
    switchTo: ({ label }: { label: Word }) => `Switch to ${label}`,
    elsewhere: 'This belongs to another of your roles.',
    roles: 'Roles',
    administrator: 'Administrator',
    program: ({ account }: { account: Word }) => `${account} partner program`,
    partnerOf: ({ account }: { account: Word }) => `${account}'s partner`,
    signOut: 'Sign out',
    anonymousAccount: '(Anonymous account)',
  },

  help: {
    page: 'About this page',
    docs: 'Documentation',
    api: 'API reference',
    shortcuts: 'Keyboard shortcuts',
    support: 'Contact support',
  },

  notice: {
    region: 'Notice',
    provider: 'Set up your payment integration to start tracking sales',
    goToProviders: 'Go to payment providers',
    partner: 'Add your first partner and start tracking sales',
    addPartner: 'Add partner',
  },
})

/** The names of pages. */
export const pageWords = defineWords('page', 'partner', {
  overview: 'Overview',
  notFound: 'Page not found',
  welcome: 'Welcome',
  noRoleHere: 'You aren’t a partner in this program.',
  signInAt: ({ host }: { host: string }) => `Sign in at ${host}`,
  profile: 'Profile',
  dashboard: 'Dashboard',
  partners: 'Partners',
  customers: 'Customers',
  groups: 'Groups',
  applications: 'Applications',
  addPartner: 'Add partner',
  partner: 'Partner',
  editPartner: 'Edit partner',
  leads: 'Leads',
  sales: 'Sales',
  unattributed: 'Unattributed sales',
  testSales: 'Test sales',
  addLead: 'Add lead',
  lead: 'Lead',
  editLead: 'Edit lead',
  addSale: 'Add sale',
  links: 'Links',
  addLink: 'Add link',
  link: 'Link',
  editLink: 'Edit link',
  payouts: 'Payouts',
  upcoming: 'Upcoming',
  needsAction: 'Needs action',
  paid: 'Paid',
  paymentFiles: 'Payment files',
  yearReport: 'Year report',
  books: 'Books',
  invoices: 'Invoices',
  commissions: 'Commissions',
  reconciliation: 'Compare transfers',
  payout: 'Payout',
  settings: 'Settings',
  importData: 'Import data',
  import: 'Import',
  paymentProviders: 'Payment Providers',
  providerEvents: 'Recent events',
  outgoingWebhooks: 'Outgoing Webhooks',
  addOutgoingWebhook: 'Add outgoing webhook',
  outgoingWebhook: 'Outgoing webhook',
  editOutgoingWebhook: 'Edit outgoing webhook',
  incomingWebhooks: 'Incoming Webhooks',
  addIncomingWebhook: 'Add incoming webhook',
  incomingWebhook: 'Incoming webhook',
  editIncomingWebhook: 'Edit incoming webhook',
  pushData: 'Push Data',
  embedCode: 'Embed Code',
  accounts: 'Accounts',
  addAccount: 'Add account',
  account: 'Account',
  mail: 'Email',
  system: 'System',
  help: 'Help',
})

/** The names of payment providers. */
export const providerWords = defineWords('provider', 'partner', {
  stripe: 'Stripe',
  paddle: 'Paddle',
  paypal: 'PayPal',
  square: 'Square',
  'lemon-squeezy': 'Lemon Squeezy',
  shopify: 'Shopify',
  woocommerce: 'WooCommerce',
  polar: 'Polar',
  chargebee: 'Chargebee',
  recurly: 'Recurly',
  generic: 'Custom integration',
})

/** The words of the page to which a payment provider sends back a person who may not connect it. */
export const connectingWords = defineWords('connecting', 'partner', {
  heading: ({ provider }: { provider: Word }) => `Connecting ${provider}`,
  notOwner: ({ provider }: { provider: Word }) =>
    `${provider} wasn’t connected. Only the owner of an account can connect it.`,
})

/** The words of short messages. */
export const toastWords = defineWords('toast', 'partner', {
  region: 'Messages',
  undo: 'Undo',
  dismiss: 'Dismiss',
  added: ({ resource }: { resource: Word }) => `${resource} added`,
  saved: ({ resource }: { resource: Word }) => `${resource} saved`,
  deleted: ({ resource }: { resource: Word }) => `${resource} deleted`,
  copied: 'Copied',
  approvedForYear: ({ count, year }: { count: number; year: Word }) =>
    formatPlural(
      count,
      `${formatNumber(count)} partner approved for ${year}`,
      `${formatNumber(count)} partners approved for ${year}`,
    ),
  unapprovedForYear: ({ count, year }: { count: number; year: Word }) =>
    formatPlural(
      count,
      `${formatNumber(count)} partner no longer approved for ${year}`,
      `${formatNumber(count)} partners no longer approved for ${year}`,
    ),
  invitationSent: 'Invitation sent',
})
