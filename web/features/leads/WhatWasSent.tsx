import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatLongDateTime } from '../../format.ts'
import { DeliveryBodies, DeliveryBody } from '../../shared/DeliveryLog.tsx'
import { ShowMore } from '../../shared/ShowMore.tsx'
import { Button } from '../../ui/Button.tsx'
import { Failed, Panel } from '../../ui/Panel.tsx'
import { leadWords } from '../../words/leads.ts'
import { leadSubmissionsQuery } from './queries.ts'
import { sourceLabel } from './words.ts'

/**
 * Payloads received for a lead from forms and other systems, unchanged, newest first, shown once opened; leads entered
 * by hand have none.
 */
export function WhatWasSent({ leadId, timeZone }: { leadId: string; timeZone: string }) {
  const answer = useInfiniteQuery(leadSubmissionsQuery(leadId))
  const { data, error, refetch, isFetching } = answer
  const [open, setOpen] = useState(false)
  const id = useId()
  const total = data?.pages[0]?.total ?? 0
  const sent = data?.pages.flatMap(({ items }) => items)
  if (!sent?.length && !error) return null
  return (
    <Panel
      heading={leadWords.sent.heading}
      aside={
        sent && (
          <Button small aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            {open ? leadWords.sent.hide : leadWords.sent.show}
          </Button>
        )
      }
    >
      {!sent && error && <Failed onRetry={refetch} busy={isFetching} why={error.message} />}
      <div id={id} hidden={!open}>
        {open && sent && (
          <DeliveryBodies>
            {sent.map(({ at, source, body }, index) => (
              <DeliveryBody
                // biome-ignore lint/suspicious/noArrayIndexKey: two may have come at the same instant
                key={`${at}-${index}`}
                label={leadWords.sent.label({
                  number: total - index,
                  source: sourceLabel(source),
                  at: formatLongDateTime(at, timeZone),
                })}
              >
                {typeof body === 'string' ? leadWords.sent.cut({ text: body }) : JSON.stringify(body, null, 2)}
              </DeliveryBody>
            ))}
          </DeliveryBodies>
        )}
        {open && <ShowMore answer={answer}>{leadWords.timeline.more}</ShowMore>}
      </div>
    </Panel>
  )
}
