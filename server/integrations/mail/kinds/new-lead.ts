import type { LeadSource } from '#contract/leads.ts'
import { countInWords } from '../../../platform/format-values.ts'
import { A_LEAD, aboutLeads, newLeads } from '../about/leads.ts'
import { listSubjects, newsMail } from '../mail.ts'
import { accountFirst, listFirst, nameOr, toTeam } from '../message.ts'

/** Sources of leads that are mailed; owners know those created by themselves and their own systems. */
const MAILED: LeadSource[] = ['embed', 'incoming-webhook', 'partner']

export const newLead = newsMail({
  group: 'leads',
  title: 'New lead',
  description: 'A lead came from a form, a webhook or a partner.',
  news: {
    'lead.created': ({ source, status }) => (status === 'new' && MAILED.includes(source) ? { to: 'team' } : null),
  },
  async read(gathered) {
    const leads = await newLeads(gathered.db, gathered.account.id, listSubjects(gathered))
    return leads.length > 0 ? aboutLeads(gathered, leads, '/leads?status=new') : null
  },
  write({ accountName, count, leads, url }) {
    const one = count === 1 ? nameOr(leads[0]?.name, A_LEAD) : null
    const lines = leads.map(({ name, partner }) => ({
      label: nameOr(name, A_LEAD),
      value: partner ? `Referred by ${nameOr(partner, 'a partner')}` : 'No partner',
    }))
    return {
      ...toTeam(accountName),
      subject: one ? `New lead: ${one}` : `${countInWords(count, 'new lead')}`,
      preview: lines.map(({ label, value }) => (one ? value : label)).join(', '),
      parts: [
        one
          ? `${accountFirst(accountName)} has a new lead.`
          : `${accountFirst(accountName)} has ${countInWords(count, 'new lead')}.`,
        ...listFirst(count, lines),
      ],
      button: { label: one ? 'Open lead' : 'Open leads', url },
    }
  },
  sample: {
    accountName: 'Northwind',
    count: 2,
    leads: [
      { name: 'Jane Doe', partner: 'Pia Tern', on: '2027-02-18' },
      { name: 'Acme', partner: null, on: '2027-02-18' },
    ],
    url: 'https://partners.example.com/leads',
  },
})
