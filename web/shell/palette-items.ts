import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import type { NavigateOptions } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { type AccountForPartner, type AccountWithStats, listAccounts } from '#contract/accounts.ts'
import type { Role } from '#contract/auth.ts'
import { type Lead, listLeads, listPartnerLeads } from '#contract/leads.ts'
import { listPartners, listSubPartners, type Partner } from '#contract/partners.ts'
import { listPartnerPayouts, listPayouts, type Payout } from '#contract/payouts.ts'
import { listQuery } from '../calls.ts'
import { formatMoney } from '../format.ts'
import { InfoIcon } from '../ui/base-icons.tsx'
import {
  AccountIcon,
  LeadsIcon,
  MailIcon,
  PartnersIcon,
  PayoutsIcon,
  PlusIcon,
  PushIcon,
  SettingsIcon,
  SystemIcon,
  UserIcon,
} from '../ui/icons.tsx'
import { t } from '../words.ts'
import { destinationsOf } from './destinations.ts'
import { DOCS, pagesFor, readsDocs } from './help-pages.ts'
import { payoutPage } from './PayoutLink.tsx'

/** Something the palette opens or does. */
export type Item = {
  key: string
  label: string
  /** What else tells it from others of its name. */
  note?: string | undefined
  icon: ComponentType<{ size?: number }>
  /** Pressed after 'g'. */
  letter?: string | undefined
  act: { go: NavigateOptions } | { run: () => void }
}

const page = (label: string, icon: Item['icon'], go: NavigateOptions, letter?: string): Item => ({
  key: `${label} ${go.to} ${JSON.stringify([go.search, go.params])}`,
  label,
  icon,
  letter,
  act: { go },
})

const settingsTabs = ['general', 'commission', 'attribution', 'partners', 'payouts', 'data', 'activity'] as const

/** The pages of a role: those of the sidebar, then what stands beside them. */
export function pagesOf(role: Role | undefined): Item[] {
  const { main, integrations } = destinationsOf(role)
  return [
    ...main.map(({ to, label, icon, key }) =>
      // The sidebar calls it by the role; its own heading says what is there.
      page(label === 'navigation.admin' ? t('pages.accounts') : t(label), icon, { to }, key),
    ),
    ...integrations.map(({ to, label, icon }) => page(t(label), icon, { to })),
    ...(role?.type === 'admin'
      ? [
          page(t('pages.mail'), MailIcon, { to: '/admin/mail' }),
          page(t('pages.system'), SystemIcon, { to: '/admin/system' }),
        ]
      : []),
    page(t('pages.profile'), UserIcon, { to: '/user/profile' }),
  ]
}

/** Parts of pages, found by typing alone. */
export const partsOf = (role: Role | undefined): Item[] =>
  role?.type === 'account-owner'
    ? settingsTabs.map((tab) =>
        page(t('palette.accountSettings', { tab: t(`settings.${tab}`) }), SettingsIcon, {
          to: '/account/settings',
          search: { tab },
        }),
      )
    : []

/** What is read rather than used, found by typing alone. */
export const helpOf = (role: Role | undefined): Item[] => [
  page(t('help.heading'), InfoIcon, { to: '/help' }),
  ...pagesFor(role?.type).map(({ page: one }) =>
    page(t(`help.titles.${one}`), InfoIcon, { to: '/help/$page', params: { page: one } }),
  ),
  ...(readsDocs(role?.type)
    ? [{ key: 'docs', label: t('help.docs'), icon: InfoIcon, act: { run: () => location.assign(DOCS) } }]
    : []),
]

type Allows = Pick<AccountForPartner, 'invitationsFromPartners' | 'partnerLeadSubmission' | 'disabledAt'>

/** What a role may begin from any page. */
export function actionsOf(role: Role | undefined, account: Allows | undefined): Item[] {
  const add = (label: string, to: NavigateOptions['to']) => page(label, PlusIcon, { to } as NavigateOptions)
  if (role?.type === 'admin') return [add(t('pages.addAccount'), '/admin/accounts/new')]
  if (!account || account.disabledAt) return []
  const partner = add(t('pages.addPartner'), '/partners/new')
  const lead = add(t('pages.addLead'), '/leads/new')
  if (role?.type === 'partner')
    return [...(account.invitationsFromPartners ? [partner] : []), ...(account.partnerLeadSubmission ? [lead] : [])]
  return [
    partner,
    lead,
    add(t('pages.addLink'), '/links/new'),
    add(t('pages.addIncomingWebhook'), '/integrations/incoming-webhooks/new'),
    add(t('pages.addOutgoingWebhook'), '/integrations/outgoing-webhooks/new'),
    page(t('pages.importData'), PushIcon, { to: '/account/import' }),
  ]
}

/** Of each sort of things so many are offered. */
const SHOWN = 5

type Rows<R> = { items: R[]; nextCursor: string | null }
export type Found = { items: Item[]; more: boolean }

/** Things of the server whose name, email or number holds what is typed: a query for each sort the role may see. */
export function thingsFor(role: Role | undefined, search: string) {
  const owner = role?.type === 'account-owner' ? role : undefined
  const partner = role?.type === 'partner' ? role : undefined
  const asked = { limit: SHOWN, search }
  const of = { params: { id: owner?.accountId ?? partner?.partnerId ?? '' }, search: asked }
  const things = <R>(seen: boolean, query: { queryKey: QueryKey }, itemOf: (row: R) => Item) =>
    ({
      ...query,
      enabled: seen && search !== '',
      select: ({ items, nextCursor }: Rows<R>) => ({ items: items.map(itemOf), more: nextCursor !== null }),
    }) as UseQueryOptions<Rows<R>, Error, Found>
  const ofAccount = Boolean(owner ?? partner)
  return {
    accounts: things<AccountWithStats>(
      role?.type === 'admin',
      listQuery(listAccounts, { search: asked }),
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
        ...page(t('payouts.number', { number: statementNumber }), PayoutsIcon, {
          to: payoutPage(role?.type),
          params: { payoutId: id },
        }),
        key: id,
        note: noteOf(owner && partnerName, formatMoney(amount, currency)),
      }),
    ),
  }
}

const noteOf = (...parts: (string | false | null | undefined)[]) => parts.filter(Boolean).join(' · ')

/** Those of the items whose label holds every word that is typed, those that begin with it first. */
export function matching<I extends Pick<Item, 'label'>>(items: readonly I[], typed: string): I[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  const begins = ({ label }: I) => plain(label).startsWith(words.join(' '))
  const found = items.filter(({ label }) => words.every((word) => plain(label).includes(word)))
  return [...found.filter(begins), ...found.filter((item) => !begins(item))]
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
