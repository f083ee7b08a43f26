import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Lead } from '#contract/leads.ts'
import { formatMoment } from '../../format.ts'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { Table } from '../../ui/Table.tsx'
import { t } from '../../words.ts'
import { ReassignDialog } from './LeadActions.tsx'
import styles from './Leads.module.css'
import { lead as leadOf } from './queries.ts'
import { sourceLabel } from './words.ts'

type Props = { lead: Lead; timeZone: string; readOnly: boolean }

/** A lead that another partner had registered before: who came when, and the way to decide for the later one. */
export function RegisteredTwice({ lead, timeZone, readOnly }: Props) {
  if (readOnly) return <Message kind="warning">{t('leads.duplicate.whyPartner')}</Message>
  if (!lead.duplicateOfId) return null
  return <BothTimes lead={lead} firstId={lead.duplicateOfId} timeZone={timeZone} />
}

function BothTimes({ lead, firstId, timeZone }: { lead: Lead; firstId: string; timeZone: string }) {
  const { data: first, error, refetch, isFetching } = useQuery(leadOf(firstId))
  const [giving, setGiving] = useState(false)
  const partner = lead.partnerName ?? t('leads.noPartner')
  return (
    <Panel heading={t('leads.duplicate.heading')}>
      {!first && error && <Failed onRetry={refetch} busy={isFetching} why={error.message} />}
      {!first && !error && <Skeleton rows={3} />}
      {first && (
        <div className={styles.twice}>
          <Table
            label={t('leads.duplicate.heading')}
            rows={[first, lead]}
            keyOf={({ id }) => id}
            columns={[
              {
                head: t('leads.duplicate.registration'),
                cell: ({ id }) =>
                  id === lead.id ? (
                    t('leads.duplicate.second')
                  ) : (
                    <Link to="/leads/$leadId" params={{ leadId: id }}>
                      {t('leads.duplicate.first')}
                    </Link>
                  ),
              },
              { head: t('leads.columns.partner'), cell: ({ partnerName }) => partnerName ?? t('leads.noPartner') },
              { head: t('leads.facts.registered'), cell: ({ createdAt }) => formatMoment(createdAt, timeZone) },
              { head: t('leads.columns.source'), wideOnly: true, cell: ({ source }) => sourceLabel(source) },
            ]}
          />
          <p>{t('leads.duplicate.why', { partner })}</p>
          {lead.partnerId && first.partnerId !== lead.partnerId && (
            <div>
              <Button onClick={() => setGiving(true)}>{t('leads.duplicate.give', { partner })}</Button>
            </div>
          )}
          {giving && <ReassignDialog lead={first} partnerId={lead.partnerId} onClose={() => setGiving(false)} />}
        </div>
      )}
    </Panel>
  )
}
