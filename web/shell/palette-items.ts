import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import type { NavigateOptions } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { type AccountForPartner, type AccountWithStats, listAccounts } from '#contract/accounts.ts'
import type { Role } from '#contract/auth.ts'
import { createImport } from '#contract/imports.ts'
import { createIncomingWebhook } from '#contract/incoming-webhooks.ts'
import { createLead, type Lead, listLeads, listPartnerLeads } from '#contract/leads.ts'
import { createLinkBlueprint } from '#contract/links.ts'
import { createOutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { createPartner, listPartners, listSubPartners, type Partner } from '#contract/partners.ts'
import { listPartnerPayouts, listPayouts, type Payout } from '#contract/payouts.ts'
import { createSale } from '#contract/sales.ts'
import { changeAccountTerms } from '#contract/terms.ts'
import { listQuery } from '../calls.ts'
import { formatMoney } from '../format.ts'
import { firstDocsPage } from '../shared/docs.ts'
import { isAtPartner, isTeam, mayCall } from '../shared/roles.ts'
import { InfoIcon } from '../ui/base-icons.tsx'
import {
  AccountIcon,
  LeadsIcon,
  PartnersIcon,
  PayoutsIcon,
  PlusIcon,
  PushIcon,
  SettingsIcon,
  UserIcon,
} from '../ui/icons.tsx'
import type { Needed } from '../ui/permissions.ts'
import { paletteWords } from '../words/palette.ts'
import { payoutWords } from '../words/payouts.ts'
import { settingsWords } from '../words/settings.ts'
import { pageWords } from '../words/shell.ts'
import { getLabel, getTabLabel, listDestinations, settingsTabs } from './destinations.ts'
import { payoutPage } from './PayoutLink.tsx'

/** A page the palette opens, or an action it runs. */
export type Item = {
  key: string
  label: string
  /** Other words that find it. */
  also?: string
  /** Distinguishes it from others of the same name. */
  note?: string | undefined
  icon: ComponentType<{ size?: number }>
  /** Key after 'g'. */
  letter?: string | undefined
  action: { go: NavigateOptions } | { run: () => void }
}

const { also } = paletteWords

type Rest = [icon: Item['icon'], go: NavigateOptions, letter?: string]

const page = (label: string, ...[icon, go, letter]: Rest): Item => ({
  key: `${label} ${go.to} ${JSON.stringify([go.search, go.params])}`,
  label,
  icon,
  letter,
  action: { go },
})

/** A page by its own name, with other words that find it. */
const named = (key: keyof typeof also.pages, ...rest: Rest): Item => ({
  ...page(pageWords[key], ...rest),
  also: also.pages[key],
})

/** The pages of a role: those of the sidebar, then the others. */
export function palettePages(role: Role | undefined): Item[] {
  const { main, integrations } = listDestinations(role)
  return [
    ...[...main, ...integrations].map(({ to, page, icon, key }) => named(page, icon, { to }, key)),
    named('profile', UserIcon, { to: '/user/profile' }),
  ]
}

/** Parts of pages, and the docs, found only by typing. */
export const paletteParts = (role: Role | undefined): Item[] => [
  ...listDestinations(role).main.flatMap((entry) =>
    (entry.tabs ?? [])
      .filter((tab) => tab.page !== entry.page && !tab.rare)
      .map((tab) => ({
        ...page(paletteWords.part({ page: getLabel(entry), part: getTabLabel(tab) }), entry.icon, {
          to: tab.to,
          search: tab.search,
        } as NavigateOptions),
        also: 'words' in tab ? tab.words.also : Object.entries(also.tabs).find(([name]) => name === tab.page)?.[1],
      })),
  ),
  ...(isTeam(role)
    ? settingsTabs.map((tab) => ({
        ...page(paletteWords.part({ page: pageWords.settings, part: settingsWords[tab] }), SettingsIcon, {
          to: '/account/settings',
          search: { tab },
        }),
        also: also.settings[tab],
      }))
    : []),
  {
    key: 'help',
    label: pageWords.help,
    also: also.pages.help,
    icon: InfoIcon,
    action: { run: () => location.assign(firstDocsPage(role?.type)) },
  },
]

type Allows = Pick<AccountForPartner, 'invitationsFromPartners' | 'partnerLeadSubmission' | 'disabledAt'>

/** Returns the actions a role may start from any page. */
export function paletteActions(role: Role | undefined, account: Allows | undefined): Item[] {
  const add = (label: string, to: NavigateOptions['to']) => page(label, PlusIcon, { to } as NavigateOptions)
  const having = (needs: Needed, ...items: Item[]) => (mayCall(role, needs) ? items : [])
  if (role?.type === 'admin') return [add(pageWords.addAccount, '/admin/accounts/new')]
  if (!account || account.disabledAt) return []
  const partner = add(pageWords.addPartner, '/partners/new')
  const lead = add(pageWords.addLead, '/leads/new')
  if (isAtPartner(role))
    return [...(account.invitationsFromPartners ? [partner] : []), ...(account.partnerLeadSubmission ? [lead] : [])]
  return [
    ...having(createPartner, partner),
    ...having(createLead, lead),
    ...having(createSale, add(pageWords.addSale, '/leads/new-sale')),
    ...having(createLinkBlueprint, add(pageWords.addLink, '/links/new')),
    ...having(createIncomingWebhook, add(pageWords.addIncomingWebhook, '/integrations/incoming-webhooks/new')),
    ...having(createOutgoingWebhook, add(pageWords.addOutgoingWebhook, '/integrations/outgoing-webhooks/new')),
    ...having(
      changeAccountTerms,
      page(paletteWords.editBase, SettingsIcon, { to: '/account/settings', search: { tab: 'commission' } }),
    ),
    ...having(createImport, page(pageWords.importData, PushIcon, { to: '/account/import' })),
  ]
}

/** Results per kind of thing. */
const SHOWN = 5

type Rows<R> = { items: R[]; nextCursor: string | null }
export type FoundItems = { items: Item[]; more: boolean }

/** Returns a query for each kind of thing the role may see whose name, email or number contains the search text. */
export function thingsFor(role: Role | undefined, search: string) {
  const owner = isTeam(role) ? role : undefined
  const partner = isAtPartner(role) ? role : undefined
  const searchParams = { limit: SHOWN, search }
  const of = { params: { id: owner?.accountId ?? partner?.partnerId ?? '' }, search: searchParams }
  const things = <R>(seen: boolean, query: { queryKey: QueryKey }, itemOf: (row: R) => Item) =>
    ({
      ...query,
      enabled: seen && search !== '',
      select: ({ items, nextCursor }: Rows<R>) => ({ items: items.map(itemOf), more: nextCursor !== null }),
    }) as UseQueryOptions<Rows<R>, Error, FoundItems>
  const ofAccount = Boolean(owner ?? partner)
  return {
    accounts: things<AccountWithStats>(
      role?.type === 'admin',
      listQuery(listAccounts, { search: searchParams }),
      ({ id, displayName, owner }) => ({
        ...page(displayName, AccountIcon, { to: '/admin/accounts/$accountId', params: { accountId: id } }),
        key: id,
        note: owner?.email === displayName ? undefined : owner?.email,
      }),
    ),
    partners: things<Partner>(
      ofAccount,
      partner ? listQuery(listSubPartners, of) : listQuery(listPartners, of),
      ({ id, displayName, email, referralCode }) => ({
        ...page(displayName, PartnersIcon, { to: '/partners/$partnerId', params: { partnerId: id } }),
        key: id,
        note: noteOf(referralCode, email !== displayName && email),
      }),
    ),
    leads: things<Lead>(
      ofAccount,
      partner ? listQuery(listPartnerLeads, of) : listQuery(listLeads, of),
      ({ id, displayName, email, partnerName }) => ({
        ...page(displayName, LeadsIcon, { to: '/leads/$leadId', params: { leadId: id } }),
        key: id,
        note: noteOf(owner && partnerName, email !== displayName && email),
      }),
    ),
    payouts: things<Payout>(
      ofAccount,
      partner ? listQuery(listPartnerPayouts, of) : listQuery(listPayouts, of),
      ({ id, statementNumber, partnerName, amount, currency }) => ({
        ...page(payoutWords.number({ number: statementNumber }), PayoutsIcon, {
          to: payoutPage(role),
          params: { payoutId: id },
        }),
        key: id,
        note: noteOf(owner && partnerName, formatMoney(amount, currency)),
      }),
    ),
  }
}

const noteOf = (...parts: (string | false | null | undefined)[]) => parts.filter(Boolean).join(' · ')

/** Returns the items whose label contains every typed word, those beginning with the text first. */
export function findMatching<I extends Pick<Item, 'label'>>(items: readonly I[], typed: string): I[] {
  const begins = ({ label }: I) => plain(label).startsWith(wordsIn(typed).join(' '))
  const found = items.filter(({ label }) => holds(label, typed))
  return [...found.filter(begins), ...found.filter((item) => !begins(item))]
}

/** Returns the items whose other words contain every typed word, for a text that no label contains. */
export const findRelated = (items: readonly Item[], typed: string) =>
  items.filter(({ also = '' }) => holds(also, typed))

const wordsIn = (typed: string) => plain(typed).split(/\s+/).filter(Boolean)
const holds = (text: string, typed: string) => wordsIn(typed).every((word) => plain(text).includes(word))

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
