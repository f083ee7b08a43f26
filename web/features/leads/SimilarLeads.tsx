import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Email } from '#contract/values.ts'
import { ToLead } from '../../shared/links.tsx'
import { Message } from '../../ui/Message.tsx'
import { useDebounced } from '../../ui/Picker.tsx'
import { leadWords } from '../../words/leads.ts'
import { similarLeadsQuery } from './queries.ts'

/** Delay after the last keystroke, in ms; the usual one of searches. */
const AFTER_MS = 300
/** The maximum length of a company's name. */
const LONGEST = 200

type Props = { accountId: string; email: string; company: string; leadId?: string }

/** Warns of leads that may belong to this company, with links to them. */
export function SimilarLeads({ accountId, email, company, leadId }: Props) {
  const [address, name] = [useDebounced(email.trim(), AFTER_MS), useDebounced(company.trim(), AFTER_MS)]
  // values that the form would refuse match no lead
  const known = { email: Email.safeParse(address).data ?? '', company: name.length <= LONGEST ? name : '' }
  const { data } = useQuery(similarLeadsQuery(accountId, { ...known, leadId }))
  if (!data?.items.length) return null
  return (
    <Message kind="warning">
      {data.items.map(({ by, value, total, leads }) => (
        <p key={by}>
          {leadWords.similar[by]({ count: total, value })}{' '}
          {leads.map(({ id, displayName }, index) => (
            <Fragment key={id}>
              {index > 0 && ', '}
              <ToLead id={id}>{displayName}</ToLead>
            </Fragment>
          ))}
          {total > leads.length ? '…' : ''}
        </p>
      ))}
    </Message>
  )
}
