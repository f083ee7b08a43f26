import { emptyScreensOfFeatures, screensOfFeatures } from './sweep.ts'

export const roles = ['owner', 'partner', 'administrator'] as const
export type RoleName = (typeof roles)[number]

/** A screen's heading, and the names of its controls as agreed. */
export type Screen = {
  /** Ids are placeholders in braces. */
  path: string
  role: RoleName
  h1: string
  /** The document's title, if it names the tab as well. */
  title?: string
  /**
   * Main button and others; those in the page's menu begin with a `*`. A value follows a name that ends in
   * `:`.
   */
  buttons?: readonly string[]
  labels?: readonly string[]
  tabs?: readonly string[]
  /** Dialogs by the button that opens them, with their labels. */
  dialogs?: Readonly<Record<string, readonly string[]>>
  /** Labels that appear once this is chosen. */
  chosen?: Readonly<Record<string, readonly string[]>>
  /** Items in the menu of a row, by the beginning of the row's name. */
  rows?: Readonly<Record<string, readonly string[]>>
  /** Buttons and labels that only other roles have here. */
  lacks?: readonly string[]
  /** Nothing is loaded besides the account. */
  still?: true
  /** It requests a thing that does not exist. */
  isGone?: true
  /** Its heading until it is loaded, if different. */
  unloaded?: string
}

const year = new Date().getUTCFullYear()
const names = ['Email', 'First Name', 'Last Name']
const rates = ['Commission', 'Use account default', 'Custom rates']
const ownRates = { 'Custom rates': ['Layer 1 Rate'] }
const ownTerms = { 'Custom rates': ['Commission Type', 'Layer 1 Rate'] }
const partner = [...names, 'Referral Code', 'Note', 'Parent Partner', ...rates]
const lead = [...names, 'Phone', 'Company', 'External ID', 'Partner']
const leadActs = ['Add sale', 'Edit', 'Change status', '*Add note', '*Reassign', '*Extend protection', '*Delete']
const link = [
  ...['Destination URL', 'Name', 'Parameter Name', 'Cookie Window (days)', 'Keep visitor query', 'Enabled'],
  ...['UTM Source', 'UTM Medium', 'UTM Campaign', 'UTM Term', 'UTM Content'],
  ...['Attribution', 'Last touch', 'First touch', ...rates],
]
/** Returns the tabs that features add to the pages with this heading. */
const tabsOfFeatures = (heading: string) => [
  ...new Set(
    screensOfFeatures.flatMap(({ isTab, h1, title }) => (isTab && h1 === heading ? [title!.split(' · ')[0]!] : [])),
  ),
]
const dashboardTabs = ['Overview', ...tabsOfFeatures('Dashboard')]
const partnerTabs = ['Partners', 'Groups', 'Applications', ...tabsOfFeatures('Partners')]
const leadTabs = ['Leads', 'Sales', 'Unattributed sales', ...tabsOfFeatures('Leads')]
const adminTabs = ['Accounts', 'Email', 'System']
const webhook = ['Name', 'URL', 'Format', 'Events', 'All events', 'Header Name', 'Header Value', 'Enabled']
const mapped = [
  ...['Name', 'Authentication', 'Enabled', 'Email Path', 'Email Transform', 'Match Partner By', 'Duplicate Key Path'],
  'Allowed Addresses',
]
const payoutTabs = ['Upcoming', 'Needs action', 'Paid', 'Commissions', 'Year report', 'Books']
const payoutsMenu = ['*Download CSV', '*Make payment file', '*Upload results']

const profile: Omit<Screen, 'role'> = {
  path: '/user/profile',
  h1: 'Profile',
  buttons: ['Save changes', 'Change password'],
  labels: [...names, 'Theme', 'Keyboard shortcuts', 'Current Password', 'New Password', 'Confirm Password'],
}
const dashboard = { path: '/dashboard', h1: 'Dashboard', buttons: ['Date range:', 'Download CSV'] }

const receipt: Omit<Screen, 'role'> = {
  path: '/commissions/{commission}',
  h1: 'Receipt for $100.00',
  unloaded: 'Receipt',
  buttons: ['Copy link'],
}

/** An owner's screens behind the sign-in, in the order of the contract. */
const ofOwner: readonly Omit<Screen, 'role'>[] = [
  profile,
  { ...dashboard, title: 'Overview · Dashboard', tabs: dashboardTabs },
  {
    path: '/partners',
    h1: 'Partners',
    buttons: ['Add partner', 'Announce', 'Download CSV', 'Import'],
    labels: ['Search partners', 'Status', 'Parent', 'Show as tree'],
    tabs: partnerTabs,
  },
  {
    path: '/partners?tab=groups',
    h1: 'Partners',
    title: 'Groups · Partners',
    buttons: ['Add group', 'Download CSV'],
    labels: ['Search groups'],
    tabs: partnerTabs,
    dialogs: { 'Add group': ['Group Name', 'Public Name'] },
  },
  {
    path: '/partners?tab=applications',
    h1: 'Partners',
    title: 'Applications · Partners',
    buttons: ['Download CSV'],
    labels: ['Search applications', 'Status'],
    tabs: partnerTabs,
    rows: { 'Rosa Quist': ['Approve', 'Reject'] },
    lacks: ['Add partner', 'Import'],
  },
  {
    path: '/partners/groups/{group}',
    h1: 'Default',
    unloaded: 'Group',
    buttons: ['Save changes', 'Add goal'],
    labels: ['Group Name', 'Public Name'],
    rows: { 'Busy month': ['Edit', 'Move up', 'Move down', 'Delete'] },
    dialogs: { 'Add goal': ['Goal Name', 'Metric', 'Window', 'At Least', 'Bonus'] },
  },
  {
    path: '/partners/new',
    h1: 'Add partner',
    buttons: ['Add partner', 'More options', 'Import partners'],
    labels: [...partner, 'Send invitation'],
    chosen: ownRates,
    still: true,
  },
  {
    path: '/partners/{partner}',
    h1: 'Jane Whitfield',
    unloaded: 'Partner',
    buttons: [
      ...['Edit', 'Add sub-partner', 'Add adjustment'],
      ...['*Choose how to pay', '*Suspend', '*Archive', '*Record tax form', '*Delete'],
    ],
    labels: [`Approved for payouts in ${year}`],
    tabs: ['Overview', 'Sub-partners', 'Leads', 'Commissions', 'Payouts', 'Activity'],
    dialogs: {
      'Add adjustment': ['Amount', 'Reason'],
      '*Choose how to pay': ['Payout Method'],
      '*Record tax form': ['Tax Form', 'Received On'],
      '*Suspend': ['Reason'],
      '*Archive': ['Sub-partners', 'Move up', 'Keep', 'Balance', 'Pay out', 'Void', 'Reason'],
    },
  },
  {
    path: '/partners/{subPartner}',
    h1: 'Sam Ortiz',
    unloaded: 'Partner',
    buttons: ['Edit', 'Resend invitation', 'Copy invitation link', 'Revoke invitation', 'Add sub-partner'],
  },
  {
    path: '/partners/{subPartner}/update',
    h1: 'Edit partner',
    buttons: ['Save changes', 'More options'],
    labels: [...partner, 'Earlier Codes'],
    chosen: ownTerms,
    lacks: ['Send invitation'],
  },
  {
    path: '/leads',
    h1: 'Leads',
    buttons: ['Add lead', 'Download CSV', 'Import'],
    labels: ['Search leads', 'Status', 'Partner', 'Source', 'Unanswered'],
    tabs: leadTabs,
  },
  {
    path: '/leads?tab=sales',
    h1: 'Leads',
    title: 'Sales · Leads',
    buttons: ['Add sale', 'Filters', 'Download CSV', 'Date range All'],
    labels: ['Search sales', 'Kind', 'Status', 'Provider', 'Partner', 'On hold'],
    rows: { 'Sale for Hannah Cole': ['Refund', 'Edit description', 'Void'] },
    tabs: leadTabs,
  },
  {
    path: '/leads?tab=unattributed',
    h1: 'Leads',
    title: 'Unattributed sales · Leads',
    buttons: ['Attribute', 'Add lead', 'Download CSV', 'Amount All', 'Date range All'],
    labels: ['Search sales', 'Status', 'Provider'],
    dialogs: { Attribute: ['Partner', 'Lead', 'Reason'] },
  },
  { path: '/leads/new', h1: 'Add lead', buttons: ['Add lead'], labels: lead, still: true },
  {
    path: '/leads/new-sale',
    h1: 'Add sale',
    buttons: ['Add sale'],
    labels: ['Lead', 'Amount', 'Currency', 'Sale Date', 'Description', 'External ID'],
    still: true,
  },
  { path: '/leads/{lead}/update', h1: 'Edit lead', buttons: ['Save changes'], labels: lead },
  {
    path: '/leads/{lead}',
    h1: 'Hannah Cole',
    unloaded: 'Lead',
    buttons: [...leadActs, 'Enter exchange rate'],
    rows: { '$500.00 sale': ['Refund', 'Void'] },
    dialogs: {
      '*Add note': ['Note', 'Share note with partner'],
      '*Reassign': ['Partner', 'Reason'],
      '*Extend protection': ['Protected Until'],
      'Enter exchange rate': ['Exchange Rate'],
    },
  },
  {
    path: '/leads/{newLead}',
    h1: 'Irene Castell',
    unloaded: 'Lead',
    buttons: leadActs,
    dialogs: { 'Change status': ['Status', 'Note', 'Share note with partner'] },
  },
  {
    path: '/leads/{lead}/new-sale',
    h1: 'Add sale',
    buttons: ['Add sale'],
    labels: ['Amount', 'Currency', 'Sale Date', 'Description', 'External ID'],
  },
  {
    path: '/links',
    h1: 'Links',
    buttons: ['Add link', 'Import', 'Download CSV'],
    // the switch of each row has the same name as its link
    labels: ['Search links', 'Spring offer'],
  },
  {
    path: '/links/new',
    h1: 'Add link',
    buttons: ['Add link', 'More options', 'Test link'],
    labels: link,
    chosen: ownRates,
    still: true,
  },
  {
    path: '/links/{link}/update',
    h1: 'Edit link',
    buttons: ['Save changes', 'More options', 'Test link'],
    labels: link,
    chosen: ownTerms,
  },
  { path: '/links/{link}', h1: 'Spring offer', unloaded: 'Link', buttons: ['Edit', 'Copy', 'Show QR code', 'Delete'] },
  {
    path: '/payouts',
    h1: 'Payouts',
    title: 'Upcoming · Payouts',
    buttons: payoutsMenu,
    labels: ['Search payouts'],
    tabs: payoutTabs,
    lacks: ['Approve selected', 'Update payouts', 'Download CSV'],
  },
  {
    path: '/payouts?tab=needs-action',
    h1: 'Payouts',
    title: 'Needs action · Payouts',
    buttons: payoutsMenu,
    labels: ['Search payouts', 'Status'],
    tabs: payoutTabs,
    lacks: ['Needs'],
  },
  {
    path: '/payouts?tab=paid',
    h1: 'Payouts',
    title: 'Paid · Payouts',
    buttons: [...payoutsMenu, 'Date range All'],
    labels: ['Search payouts', 'Status'],
    tabs: payoutTabs,
  },
  {
    path: '/payouts?tab=commissions',
    h1: 'Payouts',
    title: 'Commissions · Payouts',
    buttons: [...payoutsMenu, 'Sale Date All', 'Due date All'],
    labels: ['Status', 'Kind', 'Partner'],
    tabs: payoutTabs,
  },
  { path: '/payouts/reconciliation', h1: 'Compare transfers' },
  {
    path: '/payouts?tab=year-report',
    h1: 'Payouts',
    title: 'Year report · Payouts',
    buttons: [...payoutsMenu, 'Change threshold', 'Download 1099-NEC'],
    labels: ['Year', 'Search partners', 'Over threshold', 'Approved', 'Tax form'],
    tabs: payoutTabs,
    dialogs: { 'Change threshold': ['Threshold'] },
  },
  {
    path: '/payouts?tab=books',
    h1: 'Payouts',
    title: 'Books · Payouts',
    buttons: [...payoutsMenu, 'Download journal'],
    labels: ['As Of', 'Search partners'],
    tabs: payoutTabs,
    dialogs: { 'Download journal': ['From', 'To', 'Lines'] },
  },
  {
    path: '/payouts/{payout}',
    h1: 'Payout PO-1',
    unloaded: 'Payout',
    buttons: ['Approve payout', '*Mark as paid', '*Print statement', '*Download PDF'],
    // a payout that is not approved cannot be canceled
    lacks: ['Cancel payout'],
    dialogs: { '*Mark as paid': ['Payment Reference', 'Paid On'] },
  },
  {
    path: '/partners/{partner}?tab=payouts',
    h1: 'Jane Whitfield',
    unloaded: 'Partner',
    labels: ['Status'],
    // a part of a page with a single row has nothing to arrange
    lacks: ['Download CSV'],
  },
  {
    path: '/partners/{partner}?tab=commissions',
    h1: 'Jane Whitfield',
    unloaded: 'Partner',
    buttons: ['Download CSV'],
    labels: ['Status', 'Kind'],
  },
  receipt,
  {
    path: '/account/settings',
    h1: 'Settings',
    buttons: ['Save changes', 'Add rate'],
    labels: ['Account Name', 'Default Currency', 'Time Zone'],
    dialogs: { 'Add rate': ['Currency', 'Date', 'Rate'] },
    title: 'General · Settings',
    tabs: [
      ...['General', 'People', 'Commission', 'Attribution', 'Fraud rules', 'Partners', 'Program page', 'Applications'],
      ...['Branding', 'Payouts', 'Payout methods', 'Invoices & tax', 'Data', 'Activity'],
    ],
    still: true,
  },
  {
    path: '/account/settings?tab=people',
    h1: 'Settings',
    title: 'People · Settings',
    buttons: ['Add person', 'Download CSV'],
    labels: ['Role', 'Status'],
    dialogs: { 'Add person': ['Email', 'First Name', 'Last Name', 'Role'] },
  },
  {
    path: '/account/settings?tab=commission',
    h1: 'Settings',
    title: 'Commission · Settings',
    buttons: ['Save changes', 'Add layer', 'Remove layer 2'],
    labels: ['Commission Type', 'Layer 1 Rate', 'Layer 2 Rate', 'Recurring Limit (months)'],
    dialogs: { 'Add rule': ['Rule Name', 'Pay For', 'Commission Type', 'Layer 1 Rate'] },
  },
  {
    path: '/account/settings?tab=attribution',
    h1: 'Settings',
    title: 'Attribution · Settings',
    buttons: ['Save changes'],
    labels: [
      ...['Attribution Model', 'When a Click and a Code Disagree', 'Returning Customers', 'Lead Protection (days)'],
      ...['Moving From', 'Parameters of Old Links'],
    ],
    still: true,
  },
  {
    path: '/account/settings?tab=fraud-rules',
    h1: 'Settings',
    title: 'Fraud rules · Settings',
    buttons: ['Save changes', 'Open fraud review'],
    labels: [
      ...['Self-referrals', 'Existing customer', 'Paid ads', 'Banned site', 'Duplicate partner', 'Refund rate'],
      ...['Lead speed', 'Throwaway email'],
    ],
  },
  {
    path: '/account/settings?tab=partners',
    h1: 'Settings',
    title: 'Partners · Settings',
    buttons: ['Save changes'],
    labels: [
      ...['Invitations from partners', 'Lead submission by partners'],
      ...['Show lead names', 'Show lead emails', 'Show sale amounts'],
    ],
    still: true,
  },
  {
    path: '/account/settings?tab=program',
    h1: 'Settings',
    title: 'Program page · Settings',
    buttons: ['Save changes', 'Copy link'],
    labels: [
      ...['Status', 'Off', 'Open', 'Closed', 'Address', 'Headline', 'About', 'Not Allowed'],
      'Visible to search engines',
    ],
  },
  {
    path: '/account/settings?tab=applications',
    h1: 'Settings',
    title: 'Applications · Settings',
    buttons: ['Save changes', 'Add question', 'Edit question 1', 'Remove question 1', 'New version'],
    labels: ['Approve automatically', 'Apply Again After'],
  },
  {
    path: '/account/settings?tab=branding',
    h1: 'Settings',
    title: 'Branding · Settings',
    buttons: ['Save changes'],
    labels: ['Logo', 'Accent Color', 'Choose a color', 'Domain'],
  },
  {
    path: '/account/settings?tab=payouts',
    h1: 'Settings',
    title: 'Payouts · Settings',
    buttons: ['Save changes', 'Change API Token'],
    labels: [
      ...['Payout Delay', 'Minimum Payout', 'Paydays', 'Limit per Payout', 'Limit per Run'],
      ...['Automatic payouts', 'API Token', 'Profile'],
    ],
  },
  {
    path: '/account/settings?tab=payout-methods',
    h1: 'Settings',
    title: 'Payout methods · Settings',
    buttons: ['Set up PayPal'],
    dialogs: { 'Set up PayPal': ['Client ID', 'Secret', 'Send automatically on paydays'] },
  },
  {
    path: '/account/settings?tab=invoices',
    h1: 'Settings',
    title: 'Invoices & tax · Settings',
    buttons: ['More options', 'Save changes'],
    labels: ['Issue self-billing invoices', 'US Tax Forms'],
  },
  {
    path: '/account/settings?tab=data',
    h1: 'Settings',
    title: 'Data · Settings',
    buttons: ['Import', 'Export all data', 'Save changes'],
    labels: [
      ...['Keep Raw Data for (days)', 'Erase Leads without a Sale after (months)'],
      'Keep Payees’ Names for (years)',
    ],
    still: true,
  },
  { path: '/account/import', h1: 'Import data', labels: ['Data type', 'Paste rows'], still: true },
  {
    path: '/account/settings?tab=activity',
    h1: 'Settings',
    title: 'Activity · Settings',
    buttons: ['Download CSV'],
    labels: ['Search activity', 'Subject'],
  },
  {
    path: '/integrations/payment-providers',
    h1: 'Payment Providers',
    buttons: ['Play a sale through'],
    rows: {
      Stripe: [
        'Check now',
        'Make promotion codes',
        'Import past sales',
        'Recent events',
        'Copy webhook URL',
        'Replace credentials',
        'Disconnect',
      ],
    },
  },
  {
    path: '/integrations/payment-providers/{connection}/events',
    h1: 'Events from Stripe',
    unloaded: 'Recent events',
    labels: ['Result'],
  },
  {
    path: '/integrations/outgoing-webhooks',
    h1: 'Outgoing Webhooks',
    buttons: ['Add outgoing webhook', 'Download CSV'],
    labels: ['Search outgoing webhooks', 'CRM sync'],
  },
  {
    path: '/integrations/outgoing-webhooks/new',
    h1: 'Add outgoing webhook',
    buttons: ['Add outgoing webhook', 'Cancel'],
    labels: webhook,
    still: true,
  },
  {
    path: '/integrations/outgoing-webhooks/{webhook}',
    h1: 'CRM sync',
    unloaded: 'Outgoing webhook',
    buttons: ['Send test', 'Edit', 'Rotate secret', '*Resend failed', '*Delete', 'Copy sample'],
    labels: ['Event', 'Result'],
    lacks: ['Download CSV'],
    tabs: ['Node', 'Node without packages', 'Python', 'PHP', 'Go'],
    dialogs: { '*Resend failed': ['Deliveries From'] },
  },
  {
    path: '/integrations/outgoing-webhooks/{webhook}/update',
    h1: 'Edit outgoing webhook',
    buttons: ['Save changes', 'Cancel'],
    labels: webhook,
  },
  {
    path: '/integrations/incoming-webhooks',
    h1: 'Incoming Webhooks',
    buttons: ['Add incoming webhook', 'Download CSV'],
    labels: ['Search incoming webhooks', 'Demo form'],
  },
  {
    path: '/integrations/incoming-webhooks/new',
    h1: 'Add incoming webhook',
    buttons: ['Add incoming webhook', 'Cancel'],
    labels: ['Sender', 'Name'],
  },
  {
    path: '/integrations/incoming-webhooks/{incoming}',
    h1: 'Demo form',
    unloaded: 'Incoming webhook',
    buttons: ['Copy URL', 'Edit', 'Rotate URL', '*Replay all failed', '*Delete'],
    labels: ['Result'],
    lacks: ['Download CSV'],
  },
  {
    path: '/integrations/incoming-webhooks/{incoming}/update',
    h1: 'Edit incoming webhook',
    buttons: ['Save changes', 'Dry run', 'Cancel', 'Copy URL', 'Add rule', 'Add condition'],
    labels: mapped,
  },
  { path: '/oauth/stripe', h1: 'Connecting Stripe', buttons: ['Back to payment providers'], still: true },
]

/** A provider's return address for a role that cannot connect it. */
const othersConnecting = {
  path: '/oauth/stripe',
  h1: 'Connecting Stripe',
  buttons: ['Go to home'],
  still: true as const,
}

const ofPartner: readonly Omit<Screen, 'role'>[] = [
  {
    path: '/partner/payouts/{payout}',
    h1: 'Payout PO-1',
    unloaded: 'Payout',
    buttons: ['Download PDF', '*Print statement'],
    lacks: ['Approve payout', 'Cancel payout', 'Mark as paid'],
  },
  profile,
  othersConnecting,
  { ...dashboard, buttons: ['Copy link', 'All links and codes', ...dashboard.buttons] },
  {
    path: '/partners',
    h1: 'Partners',
    buttons: ['Add partner', 'Download CSV', 'Copy recruiting link'],
    labels: ['Search partners', 'Status'],
    lacks: ['Parent'],
  },
  {
    path: '/partners/new',
    h1: 'Add partner',
    buttons: ['Add partner'],
    labels: names,
    lacks: ['Referral Code', 'Parent Partner', ...rates, 'Send invitation'],
    still: true,
  },
  {
    path: '/partners/{partner}',
    h1: 'Jane Whitfield',
    unloaded: 'Partner',
    tabs: ['Overview', 'Sub-partners', 'Leads', 'Commissions', 'Payouts'],
    lacks: ['Edit', 'Add sub-partner', 'Add adjustment'],
  },
  {
    path: '/partners/{partner}?tab=payouts',
    h1: 'Jane Whitfield',
    unloaded: 'Partner',
    labels: ['Status'],
    // a part of a page with a single row has nothing to arrange
    lacks: ['Download CSV'],
  },
  {
    path: '/partners/{subPartner}',
    h1: 'Sam Ortiz',
    unloaded: 'Partner',
    buttons: ['Edit', 'Resend invitation', 'Revoke invitation'],
    lacks: ['Copy invitation link', 'Add sub-partner', 'Add adjustment'],
  },
  {
    path: '/partners/{subPartner}/update',
    h1: 'Edit partner',
    buttons: ['Save changes'],
    labels: names,
    lacks: ['Referral Code', 'Parent Partner', ...rates],
  },
  {
    path: '/leads',
    h1: 'Leads',
    buttons: ['Download CSV'],
    labels: ['Search leads', 'Status', 'Source'],
    lacks: ['Add lead', 'Partner', 'Leads and sales'],
  },
  { path: '/leads?tab=sales', h1: 'Leads', lacks: ['Add lead', 'Search sales', 'Leads and sales'] },
  { path: '/leads?tab=unattributed', h1: 'Leads', lacks: ['Add lead', 'Attribute', 'Leads and sales'] },
  {
    path: '/leads/{lead}',
    h1: 'Hannah Cole',
    unloaded: 'Lead',
    lacks: [...leadActs.filter((name) => !name.startsWith('*')), 'Enter exchange rate'],
  },
  { path: '/leads/{newLead}', h1: 'Irene Castell', unloaded: 'Lead' },
  {
    path: '/partners/{partner}?tab=commissions',
    h1: 'Jane Whitfield',
    unloaded: 'Partner',
    buttons: ['Download CSV'],
    labels: ['Status', 'Kind'],
  },
  receipt,
  {
    path: '/partner/settings',
    h1: 'Settings',
    buttons: ['Replace', 'Remove payout details', 'Add person'],
    dialogs: {
      'Remove payout details': ['Current Password'],
      'Add person': ['Email', 'First Name', 'Last Name', 'Role'],
    },
  },
]

const ofAdministrator: readonly Omit<Screen, 'role'>[] = [
  profile,
  othersConnecting,
  {
    path: '/admin/accounts',
    h1: 'Accounts',
    buttons: ['Add account', 'Download CSV'],
    tabs: adminTabs,
    labels: ['Search accounts', 'Status'],
  },
  {
    path: '/admin/accounts/new',
    h1: 'Add account',
    buttons: ['Add account'],
    labels: [
      ...['Account Name', 'Default Currency', 'Time Zone', 'Commission (%)', 'I am the owner'],
      ...['Owner Email', 'Owner First Name', 'Owner Last Name'],
    ],
    still: true,
  },
  {
    path: '/admin/accounts/{account}',
    h1: 'Harbor Analytics',
    unloaded: 'Account',
    buttons: ['Disable account', 'Assign owner'],
    dialogs: { 'Disable account': ['Reason'], 'Assign owner': ['Owner Email'] },
  },
  {
    path: '/admin/mail',
    h1: 'Email',
    buttons: ['Send test email'],
    labels: ['Search emails', 'Status', 'Kind'],
    tabs: [...adminTabs, 'Log', 'Previews'],
    dialogs: { 'Send test email': ['Email'] },
  },
  { path: '/admin/system', h1: 'System', labels: ['Search failed jobs', 'Kind'], tabs: adminTabs },
  { path: '/admin/mail?tab=previews&delivery=weekly-summary', h1: 'Email', buttons: ['Open as HTML'] },
]

/** A feature's screen, or what it adds to another; `isTab`: its title begins with a tab of its page. */
export type SweptScreen = Screen & { isTab?: true }

const ownScreens: readonly Screen[] = [
  ...ofOwner.map((screen): Screen => ({ ...screen, role: 'owner' })),
  ...ofPartner.map((screen): Screen => ({ ...screen, role: 'partner' })),
  ...ofAdministrator.map((screen): Screen => ({ ...screen, role: 'administrator' })),
]
const tabsAt: Record<string, readonly string[]> = { Dashboard: dashboardTabs, Partners: partnerTabs, Leads: leadTabs }
const isSame = (one: Screen, other: Screen) => one.role === other.role && one.path === other.path

/** Returns the screen with the buttons and dialogs that features add to it. */
function withAdded(screen: Screen): Screen {
  const added = screensOfFeatures.filter((one) => isSame(screen, one))
  if (added.length === 0) return screen
  const buttons = [...(screen.buttons ?? []), ...added.flatMap((one) => one.buttons ?? [])]
  return { ...screen, buttons, dialogs: Object.assign({}, screen.dialogs, ...added.map(({ dialogs }) => dialogs)) }
}

export const screens: readonly Screen[] = [
  ...ownScreens.map(withAdded),
  ...screensOfFeatures
    .filter((screen) => !ownScreens.some((own) => isSame(own, screen)))
    .map(({ isTab, ...screen }) =>
      isTab ? { ...screen, tabs: [...tabsAt[screen.h1]!, ...(screen.tabs ?? [])] } : screen,
    ),
]

/** Every address behind the sign-in, once. */
export const paths = [...new Set(screens.map(({ path }) => path))]

/** The form that a partner without payout details sees. */
export const depositForm: Screen = {
  path: '/partner/settings',
  role: 'partner',
  h1: 'Settings',
  buttons: ['Save payout details'],
  labels: [
    ...['Legal Type', 'Private', 'Business', 'Account Holder Name', 'Routing Number', 'Account Number'],
    ...['Confirm Account Number', 'Account Type', 'Checking', 'Savings'],
    ...['Address', 'City', 'State', 'Zip Code', 'Country'],
  ],
}

/** The screens before signing in. */
export const entries: readonly Omit<Screen, 'role'>[] = [
  { path: '/auth/sign-in', h1: 'Sign in', buttons: ['Sign in', 'Forgot password?'], labels: ['Email', 'Password'] },
  { path: '/auth/sign-in#token=x', h1: 'Sign in', buttons: ['Sign in'], labels: [] },
  { path: '/auth/reset-password', h1: 'Reset password', buttons: ['Send reset link'], labels: ['Email'] },
  {
    path: '/auth/reset-password#token=x',
    h1: 'Choose a new password',
    buttons: ['Change password'],
    labels: ['New Password', 'Confirm Password'],
  },
  { path: '/user-setup', h1: 'Set up your account', buttons: ['Send a new link'], labels: ['Email'] },
  {
    path: '/user-setup{setUpToken}',
    h1: 'Set up your account',
    buttons: ['Finish setup'],
    labels: ['First Name', 'Last Name', 'Password', 'Confirm Password'],
  },
  { path: '/join/confirm', h1: 'Confirm your application', buttons: [], labels: [] },
  { path: '/join/confirm#token=x', h1: 'Confirm your application', buttons: [], labels: [], isGone: true },
  { path: '/mail/unsubscribe/x', h1: 'Unsubscribe', buttons: [], labels: [], isGone: true },
]

/** Screens with nothing to show: in a new account, and with a search that matches nothing. */
export const emptyScreens: readonly {
  who: 'newOwner' | 'newPartner' | RoleName
  paths: [path: string, h1: string][]
}[] = [
  {
    who: 'newOwner',
    paths: [
      ['/dashboard', 'Dashboard'],
      ['/partners', 'Partners'],
      ['/partners?tab=applications', 'Partners'],
      ['/leads', 'Leads'],
      ['/leads?tab=sales', 'Leads'],
      ['/leads?tab=unattributed', 'Leads'],
      ['/links', 'Links'],
      ['/payouts', 'Payouts'],
      ['/payouts?tab=needs-action', 'Payouts'],
      ['/payouts?tab=paid', 'Payouts'],
      ['/payouts?tab=commissions', 'Payouts'],
      ['/payouts?tab=invoices', 'Payouts'],
      ['/account/settings?tab=payouts', 'Settings'],
      ['/account/import', 'Import data'],
      ['/integrations/payment-providers', 'Payment Providers'],
      ['/integrations/outgoing-webhooks', 'Outgoing Webhooks'],
      ['/integrations/incoming-webhooks', 'Incoming Webhooks'],
      ...emptyScreensOfFeatures,
    ],
  },
  {
    who: 'newPartner',
    paths: [
      ['/dashboard', 'Dashboard'],
      ['/partners', 'Partners'],
      ['/leads', 'Leads'],
      ['/partner/settings', 'Settings'],
    ],
  },
  {
    who: 'administrator',
    paths: [
      ['/admin/accounts?search=nobody', 'Accounts'],
      ['/admin/mail?search=nobody', 'Email'],
      ['/admin/system', 'System'],
      ['/admin/system?search=nothing', 'System'],
    ],
  },
  {
    who: 'owner',
    paths: [
      ['/partners?search=nobody', 'Partners'],
      ['/partners/{subPartner}?tab=sub-partners', 'Sam Ortiz'],
      ['/partners/{subPartner}?tab=leads', 'Sam Ortiz'],
      ['/partners/{subPartner}?tab=payouts', 'Sam Ortiz'],
      ['/leads/{newLead}', 'Irene Castell'],
    ],
  },
]

/** Fills ids into an address. */
export const fillPath = (path: string, things: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, thing) => things[thing] ?? '')
