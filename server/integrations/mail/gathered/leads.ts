import { dayIn } from '../../../platform/time/days.ts'
import { leadNames } from '../../../program/leads/lead-facts.ts'
import { partnerNames } from '../../../program/names/partner-names.ts'
import { MOST_LINES } from '../letter.ts'
import { type Composer, type Gathered, readerOf, subjectsOf } from './composer.ts'
import { type LeadToTell, leadsEnding, newLeads } from './subject-queries.ts'

/** Returns the page of a single lead, or the list. */
const placeOf = (appUrl: string, leads: { id: string }[], list: string) =>
  leads.length === 1 ? `${appUrl}/leads/${leads[0]!.id}` : `${appUrl}${list}`

async function named(gathered: Gathered, leads: LeadToTell[]) {
  const shown = leads.slice(0, MOST_LINES)
  const names = await leadNames(
    gathered.db,
    readerOf(gathered),
    shown.map(({ id }) => id),
  )
  const partners = await partnerNames(
    gathered.db,
    [gathered.account.id],
    shown.map(({ partnerId }) => partnerId),
  )
  return shown.map(({ id, partnerId, protectedUntil }) => ({
    name: names.get(id) ?? '',
    partner: (partnerId && partners.get(partnerId)) || null,
    on: protectedUntil ? dayIn(gathered.account.timeZone, new Date(protectedUntil)) : '',
  }))
}

export const composeNewLead: Composer<'new-lead'> = async (gathered) => {
  const { db, account, appUrl } = gathered
  const leads = await newLeads(db, account.id, subjectsOf(gathered))
  if (leads.length === 0) return null
  return {
    accountName: account.name,
    count: leads.length,
    leads: await named(gathered, leads),
    url: placeOf(appUrl, leads, '/leads?status=new'),
  }
}

export const composeProtectionEnding: Composer<'protection-ending'> = async (gathered) => {
  const { db, account, appUrl, partnerId } = gathered
  const leads = await leadsEnding(db, account.id, partnerId, subjectsOf(gathered))
  if (leads.length === 0) return null
  return {
    accountName: account.name,
    to: partnerId ? 'partner' : 'owner',
    count: leads.length,
    leads: await named(gathered, leads),
    url: placeOf(appUrl, leads, '/leads?status=new,qualified'),
  }
}
