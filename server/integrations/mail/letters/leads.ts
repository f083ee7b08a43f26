import { countInWords, dayInWords } from '../../../platform/in-words.ts'
import { accountFirst, accountOf, andMore, becauseOwner, becausePartner, MOST_LINES, said, writer } from '../letter.ts'

const A_LEAD = 'A lead'

/** `count` is the number of all, `leads` the first of them; `partner` is the referrer. */
type NewLeads = {
  accountName: string | null
  count: number
  leads: { name: string; partner: string | null }[]
  url: string
}

export const newLead = writer<NewLeads>(
  {
    accountName: 'Northwind',
    count: 2,
    leads: [
      { name: 'Jane Doe', partner: 'Pia Tern' },
      { name: 'Acme', partner: null },
    ],
    url: 'https://partners.example.com/leads',
  },
  ({ accountName, count, leads, url }) => {
    const one = count === 1 ? said(leads[0]?.name, A_LEAD) : null
    const lines = leads.slice(0, MOST_LINES).map(({ name, partner }) => ({
      label: said(name, A_LEAD),
      value: partner ? `Referred by ${said(partner, 'a partner')}` : 'No partner',
    }))
    return {
      account: accountName,
      subject: one ? `New lead: ${one}` : `${countInWords(count, 'new lead')}`,
      preview: lines.map(({ label, value }) => (one ? value : label)).join(', '),
      parts: [
        one
          ? `${accountFirst(accountName)} has a new lead.`
          : `${accountFirst(accountName)} has ${countInWords(count, 'new lead')}.`,
        { facts: lines },
        ...andMore(count, Math.min(leads.length, MOST_LINES)),
      ],
      button: { label: one ? 'Open lead' : 'Open leads', url },
      because: becauseOwner(accountName),
    }
  },
)

/** `partner` is null if the recipient is the partner. `on`: the last day. */
type EndingLeads = {
  accountName: string | null
  to: 'owner' | 'partner'
  count: number
  leads: { name: string; partner: string | null; on: string }[]
  url: string
}

export const protectionEnding = writer<EndingLeads>(
  {
    accountName: 'Northwind',
    to: 'owner',
    count: 2,
    leads: [
      { name: 'Jane Doe', partner: 'Pia Tern', on: '2026-11-23' },
      { name: 'Acme', partner: 'Sam Swift', on: '2026-12-04' },
    ],
    url: 'https://partners.example.com/leads',
  },
  ({ accountName, to, count, leads, url }) => {
    const [first] = leads
    const about =
      count === 1 && first
        ? `The protection of ${said(first.name, A_LEAD.toLowerCase())} ends on ${dayInWords(first.on)}`
        : `The protection of ${countInWords(count, 'lead')} ends soon`
    return {
      account: accountName,
      subject: about,
      preview: 'A lead that isn’t won by then expires.',
      parts: [
        to === 'owner'
          ? `${about}. A lead that isn’t won by then expires, and any partner can register it. You can extend the protection on the lead’s page.`
          : `${about}. A lead that isn’t won by then expires, and another partner can register it. If you need more time, ask ${accountOf(accountName)}.`,
        {
          facts: leads.slice(0, MOST_LINES).map(({ name, partner, on }) => ({
            label: said(name, A_LEAD),
            value: dayInWords(on),
            note: to === 'owner' && partner ? said(partner, 'A partner') : null,
          })),
        },
        ...andMore(count, Math.min(leads.length, MOST_LINES)),
      ],
      button: { label: count === 1 ? 'Open lead' : 'Open leads', url },
      because: to === 'owner' ? becauseOwner(accountName) : becausePartner(accountName),
    }
  },
)
