import type { LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Role } from '#contract/auth.ts'
import * as features from '#features/index.tabs.ts'
import type { FeatureTab } from '../shared/feature-tab.ts'
import { isAtPartner, isTeam } from '../shared/roles.ts'
import {
  AdminIcon,
  CodeIcon,
  DashboardIcon,
  IncomingIcon,
  LeadsIcon,
  LinksIcon,
  OutgoingIcon,
  PartnersIcon,
  PayoutsIcon,
  ProvidersIcon,
  PushIcon,
  SettingsIcon,
} from '../ui/icons.tsx'
import type { paletteWords } from '../words/palette.ts'
import { pageWords, shellWords } from '../words/shell.ts'

/** The tabs of the account's settings, in order. */
export const settingsTabs = [
  'general',
  'people',
  'commission',
  'attribution',
  'fraud-rules',
  'partners',
  'program',
  'applications',
  'branding',
  'emails',
  'payouts',
  'payout-methods',
  'invoices',
  'data',
  'activity',
] as const

type OwnTab = {
  page: Exclude<keyof typeof pageWords, 'signInAt'>
  to: NonNullable<LinkProps['to']>
  search?: { tab?: string; state?: string; status?: string }
  /** Shown only while it is open, has rows, or may have some. */
  rare?: true
}

/** One of the lists and views of an entry, in a line of tabs under its heading. */
export type EntryTab = OwnTab | (FeatureTab & { page: keyof typeof features; rare?: never })

/** Returns the words of a tab. */
export const getTabLabel = (tab: EntryTab) => ('words' in tab ? tab.words.label : pageWords[tab.page])

/** Returns the tabs of features under an entry. */
const tabsOfFeatures = (under: FeatureTab['under']): EntryTab[] =>
  Object.entries<FeatureTab>(features)
    .filter(([, tab]) => tab.under === under)
    .toSorted(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0))
    .map(([page, tab]) => ({ page: page as keyof typeof features, ...tab }))

export type Destination = {
  to: NonNullable<LinkProps['to']>
  page: keyof typeof paletteWords.also.pages
  /** Its tabs, which belong to it whatever their addresses. */
  tabs?: readonly EntryTab[]
  icon: ComponentType
  /**
   * Other addresses this place includes, besides those beginning with its own; the place with the longer address wins.
   */
  over?: string
  /** Key that opens it after 'g'. */
  key?: 'd' | 'p' | 'l' | 'i' | 'y' | 's'
}

/** Returns the words of an entry in the sidebar: an administrator's only one is named by the role. */
export const getLabel = ({ page }: Destination) => (page === 'accounts' ? shellWords.navigation.admin : pageWords[page])

const admin: Destination = {
  to: '/admin/accounts',
  page: 'accounts',
  icon: AdminIcon,
  tabs: [
    { page: 'accounts', to: '/admin/accounts' },
    { page: 'mail', to: '/admin/mail' },
    { page: 'system', to: '/admin/system' },
  ],
}
const dashboard: Destination = { to: '/dashboard', page: 'dashboard', icon: DashboardIcon, key: 'd' }
const partners: Destination = { to: '/partners', page: 'partners', icon: PartnersIcon, key: 'p' }
const leads: Destination = { to: '/leads', page: 'leads', icon: LeadsIcon, key: 'l' }
const links: Destination = { to: '/links', page: 'links', icon: LinksIcon, key: 'i' }
const payouts: Destination = { to: '/payouts', page: 'payouts', icon: PayoutsIcon, key: 'y' }
const accountSettings: Destination = {
  to: '/account/settings',
  page: 'settings',
  icon: SettingsIcon,
  over: '/account/',
  key: 's',
}
const partnerSettings: Destination = { to: '/partner/settings', page: 'settings', icon: SettingsIcon, key: 's' }

/** The entries of an account's team. */
const ofTeam: Destination[] = [
  {
    ...dashboard,
    tabs: [{ page: 'overview', to: '/dashboard' }, ...tabsOfFeatures('dashboard')],
  },
  {
    ...partners,
    tabs: [
      { page: 'partners', to: '/partners' },
      { page: 'customers', to: '/partners', search: { tab: 'customers' }, rare: true },
      { page: 'groups', to: '/partners', search: { tab: 'groups' } },
      { page: 'applications', to: '/partners', search: { tab: 'applications', status: 'waiting' } },
      ...tabsOfFeatures('partners'),
    ],
  },
  {
    ...leads,
    tabs: [
      { page: 'leads', to: '/leads' },
      { page: 'sales', to: '/leads', search: { tab: 'sales' } },
      { page: 'unattributed', to: '/leads', search: { tab: 'unattributed' } },
      ...tabsOfFeatures('leads'),
      { page: 'testSales', to: '/leads', search: { tab: 'test' }, rare: true },
    ],
  },
  links,
  {
    ...payouts,
    tabs: [
      { page: 'upcoming', to: '/payouts' },
      { page: 'needsAction', to: '/payouts', search: { tab: 'needs-action' } },
      { page: 'paid', to: '/payouts', search: { tab: 'paid' } },
      { page: 'commissions', to: '/payouts', search: { tab: 'commissions' } },
      { page: 'paymentFiles', to: '/payouts', search: { tab: 'payment-files' } },
      { page: 'yearReport', to: '/payouts', search: { tab: 'year-report' } },
      { page: 'books', to: '/payouts', search: { tab: 'books' } },
      { page: 'invoices', to: '/payouts', search: { tab: 'invoices' }, rare: true },
    ],
  },
  accountSettings,
]

const integrations: Destination[] = [
  { to: '/integrations/payment-providers', page: 'paymentProviders', icon: ProvidersIcon },
  { to: '/integrations/incoming-webhooks', page: 'incomingWebhooks', icon: IncomingIcon },
  { to: '/integrations/outgoing-webhooks', page: 'outgoingWebhooks', icon: OutgoingIcon },
  { to: '/integrations/push-data', page: 'pushData', icon: PushIcon },
  { to: '/integrations/embed-code', page: 'embedCode', icon: CodeIcon },
]

/** Returns the place the path belongs to, if any. */
export function findPlace(places: readonly Destination[], path: string): Destination | undefined {
  const reach = ({ to, over = to, tabs = [] }: Destination) =>
    Math.max(
      0,
      ...[to, over, ...tabs.map((tab) => tab.to)].filter((above) => isUnder(path, above)).map(({ length }) => length),
    )
  return places.filter(reach).toSorted((one, other) => reach(other) - reach(one))[0]
}

const isUnder = (path: string, above: string) => `${path}/`.startsWith(above.endsWith('/') ? above : `${above}/`)

/** Returns the sidebar's entries for a role, in order. */
export function listDestinations(role: Role | undefined): { main: Destination[]; integrations: Destination[] } {
  if (isTeam(role)) return { main: ofTeam, integrations }
  const own = isAtPartner(role)
    ? [{ ...dashboard, over: `/partners/${role.partnerId}` }, partners, leads, partnerSettings]
    : role
      ? [admin]
      : []
  return { main: own, integrations: [] }
}
