import type { Transaction } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import { dayInWords } from '../../../platform/format-values.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { hasSales } from '../../../program/leads/payment-time.ts'
import { aboutLeads, leadsEnding } from '../about/leads.ts'
import { getReader, listSubjects, newsMail } from '../mail.ts'
import { formatAccountName, listFirst, nameOr, toPartner, toTeam } from '../message.ts'
import { readsMail } from '../news-queries.ts'
import { programMailPhrases } from '../program-text.ts'

const words = programMailPhrases.leads

type Ending = {
  accountName: string | null
  to: 'owner' | 'partner'
  count: number
  leads: { name: string; partner: string | null; on: string }[]
  url: string
}

const sample: Ending = {
  accountName: 'Northwind',
  to: 'owner',
  count: 2,
  leads: [
    { name: 'Jane Doe', partner: 'Pia Tern', on: '2026-11-23' },
    { name: 'Acme', partner: 'Sam Swift', on: '2026-12-04' },
  ],
  url: 'https://partners.example.com/leads',
}

export const protectionEnding = newsMail({
  group: 'leads',
  title: 'Protection ending',
  description: 'The protection of leads ends in 14 or 3 days.',
  daily: noteEnding,
  async read(gathered): Promise<Ending | null> {
    const { db, account, partnerId } = gathered
    const leads = await leadsEnding(db, account.id, partnerId, listSubjects(gathered))
    if (leads.length === 0) return null
    return { to: getReader(gathered).as, ...(await aboutLeads(gathered, leads, '/leads?status=new,qualified')) }
  },
  write(data) {
    const { accountName, to, count, leads, url } = data
    const [first] = leads
    const released = count === 1 && first ? releasedInWords(first) : words.manyReleased({ count })
    return {
      ...(to === 'owner' ? toTeam : toPartner)(accountName),
      subject: released,
      preview: words.preview,
      parts: [
        to === 'owner'
          ? `${released}. A lead that isn’t won by then expires, and any partner can register it. You can extend the protection on the lead’s page.`
          : words.text({ released, account: formatAccountName(accountName) }),
        ...listLeads(data),
      ],
      button: { label: count === 1 ? words.open : words.openAll, url },
    }
  },
  editable: {
    kind: ({ to }) => (to === 'partner' ? 'protection-ending' : null),
    details: listLeads,
    sampleOf: () => ({ ...sample, to: 'partner' as const }),
  },
  sample,
})

function releasedInWords({ name, on }: Ending['leads'][number]) {
  const lead = nameOr(name, '')
  const day = dayInWords(on)
  return lead ? words.released({ lead, day }) : words.unnamedReleased({ day })
}

function listLeads({ to, count, leads }: Ending) {
  return listFirst(
    count,
    leads.map(({ name, partner, on }) => ({
      label: nameOr(name, words.aLead),
      value: dayInWords(on),
      note: to === 'owner' && partner ? nameOr(partner, 'A partner') : null,
    })),
  )
}

/**
 * Inserts news of leads whose protection ends in 14 or 3 days, for their owner and their partner; also up to two days
 * late, if the day itself was missed.
 */
function noteEnding(tx: Transaction, { id, timeZone }: AccountFacts, today: string) {
  return tx.run`
    insert into mail_news (id, account_id, partner_id, kind, subject_id, occasion, created_at)
    -- no random id: a cluster refuses to insert one from a query
    select md5(concat(t.id, reader.partner_id, days.count, ends.on))::uuid, t.account_id, reader.partner_id,
      'protection-ending', t.id,
      days.count || ' days before ' || ends.on, ${tx.now}
    from leads t
      cross join lateral (select (t.protected_until at time zone ${timeZone})::date as on) ends
      cross join (values (14), (3)) days (count)
      cross join lateral (values (null::uuid), (t.partner_id)) reader (partner_id)
      left join partners n on n.account_id = ${id} and n.id = reader.partner_id
    where t.account_id = ${id} and t.status in ('new', 'qualified')
      -- customers never expire
      and not ${hasSales(sql`${id}`)}
      and t.protected_until between ${tx.now} and ${tx.now}::timestamptz + interval '16 days'
      and ends.on - ${today}::date between days.count - 2 and days.count
      and t.protected_until - t.created_at > make_interval(days => days.count)
      and (reader.partner_id is null or ${readsMail})
    on conflict do nothing`
}
