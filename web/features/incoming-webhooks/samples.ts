import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { IncomingWebhook } from '#contract/incoming-webhooks.ts'
import { incomingDeliveries, incomingDeliveryQuery, isCut } from './queries.ts'

export type ReceivedSamples = ReturnType<typeof useSamples>

/** Received payloads to choose from: the newest until the user picks another, which then stays selected. */
export function useSamples({ id, sample: latest, lastReceivedAt }: IncomingWebhook) {
  const [chosen, choose] = useState<string | null>(null)
  const { data } = useQuery({ ...incomingDeliveries({ id }).page({}), enabled: latest !== null })
  const all = data?.items.filter(({ payloadBytes }) => payloadBytes !== null) ?? []
  const at = Math.max(
    0,
    all.findIndex((delivery) => delivery.id === chosen),
  )
  const shown = all[at]
  const older = chosen === null ? undefined : shown
  const whole = useQuery({
    ...incomingDeliveryQuery(id, older?.id ?? ''),
    enabled: older !== undefined && isCut(older),
  })
  const to = (place: number) => {
    const next = all[place]
    return next && (() => choose(next.id))
  }
  return {
    sample: older?.payload ?? whole.data?.payload ?? latest,
    receivedAt: shown?.receivedAt ?? lastReceivedAt,
    number: at + 1,
    count: all.length,
    newer: to(at - 1),
    older: to(at + 1),
  }
}
