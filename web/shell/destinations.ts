import type { LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Role } from '#contract/auth.ts'
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
  'partners',
  'program',
  'payouts',
  'invoices',
  'data',
  'activity',
] as const

export type Destination = {
  to: NonNullable<LinkProps['to']>
  page: keyof typeof paletteWords.also.pages
  icon: ComponentType
  /**
   * Other addresses this place includes, besides those beginning with its own; the place with the longer address wins.
   */
  over?: string | readonly string[]
  /** Key that opens it after 'g'. */
  key?: 'd' | 'p' | 'l' | 'i' | 'y' | 's'
}

/** Returns the words of an entry in the sidebar: an administrator's only one is named by the role. */
export const getLabel = ({ page }: Destination) => (page === 'accounts' ? shellWords.navigation.admin : pageWords[page])

const admin: Destination = { to: '/admin/accounts', page: 'accounts', icon: AdminIcon, over: '/admin/' }
const dashboard: Destination = { to: '/dashboard', page: 'dashboard', icon: DashboardIcon, over: '/reports', key: 'd' }
const partners: Destination = { to: '/partners', page: 'partners', icon: PartnersIcon, key: 'p' }
const leads: Destination = { to: '/leads', page: 'leads', icon: LeadsIcon, over: ['/claims', '/cases'], key: 'l' }
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

const integrations: Destination[] = [
  { to: '/integrations/payment-providers', page: 'paymentProviders', icon: ProvidersIcon },
  { to: '/integrations/incoming-webhooks', page: 'incomingWebhooks', icon: IncomingIcon },
  { to: '/integrations/outgoing-webhooks', page: 'outgoingWebhooks', icon: OutgoingIcon },
  { to: '/integrations/push-data', page: 'pushData', icon: PushIcon },
  { to: '/integrations/embed-code', page: 'embedCode', icon: CodeIcon },
]

/** Returns the place the path belongs to, if any. */
export function findPlace(places: readonly Destination[], path: string): Destination | undefined {
  const reach = ({ to, over = [] }: Destination) =>
    Math.max(
      0,
      ...[to, over]
        .flat()
        .filter((above) => isUnder(path, above))
        .map(({ length }) => length),
    )
  return places.filter(reach).toSorted((one, other) => reach(other) - reach(one))[0]
}

const isUnder = (path: string, above: string) => `${path}/`.startsWith(above.endsWith('/') ? above : `${above}/`)

/** Returns the sidebar's entries for a role, in order. */
export function listDestinations(role: Role | undefined): { main: Destination[]; integrations: Destination[] } {
  if (isTeam(role)) return { main: [dashboard, partners, leads, links, payouts, accountSettings], integrations }
  const own = isAtPartner(role)
    ? [{ ...dashboard, over: `/partners/${role.partnerId}` }, partners, leads, partnerSettings]
    : role
      ? [admin]
      : []
  return { main: own, integrations: [] }
}
