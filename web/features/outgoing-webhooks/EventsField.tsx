import { useQuery } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { ALL_EVENTS } from '#contract/outgoing-webhooks.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import type { FieldProps } from '../../ui/contract-form.tsx'
import { useNotes } from '../../ui/fields.tsx'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import styles from './EventsField.module.css'
import { type Chosen, type Event, eventGroups } from './events.ts'
import { eventDescriptionsQuery } from './queries.ts'

/** Chooses the events to send: all of them, or some from a list, grouped by subject. */
export function EventsField({ id, label, value, error, onChange }: FieldProps<Chosen>) {
  const { data } = useQuery(eventDescriptionsQuery())
  const { notes, describedBy } = useNotes(id, undefined, error)
  const all = value.includes(ALL_EVENTS)
  /** The choice before 'All events', restored when that is unchecked. */
  const some = useRef<Chosen>(all ? [] : value)
  function choose(next: Chosen) {
    some.current = next
    onChange(next)
  }
  const set = (events: readonly Event[], on: boolean) => {
    const others = value.filter((event) => !events.includes(event as Event))
    choose((on ? [...others, ...events] : others).sort())
  }
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-legend`}
      aria-describedby={describedBy}
      className={`stack gap-3 ${styles.events}`}
    >
      <legend className="strong" id={`${id}-legend`}>
        {label}
      </legend>
      <Checkbox
        label={outgoingWebhookWords.allEvents}
        checked={all}
        mixed={!all && value.length > 0}
        onChange={(on) => onChange(on ? [ALL_EVENTS] : some.current)}
      />
      {notes}
      {!all &&
        eventGroups.map(({ about, events }) => (
          <Group
            key={about}
            name={outgoingWebhookWords.about[about]}
            events={events}
            chosen={events.filter((event) => value.includes(event))}
            describe={(event) => data?.items.find(({ type }) => type === event)?.description}
            onSet={set}
          />
        ))}
    </fieldset>
  )
}

type GroupProps = {
  name: string
  events: readonly Event[]
  chosen: readonly Event[]
  describe: (event: Event) => string | undefined
  onSet: (events: readonly Event[], on: boolean) => void
}

function Group({ name, events, chosen, describe, onSet }: GroupProps) {
  const id = useId()
  const whole = chosen.length === events.length
  return (
    <fieldset aria-label={name} className={`grid gap-2 ${styles.group}`}>
      <div className={`strong ${styles.head}`}>
        <Checkbox
          label={name}
          checked={whole}
          mixed={!whole && chosen.length > 0}
          onChange={(on) => onSet(events, on)}
        />
      </div>
      {events.map((event) => (
        <div key={event} className={styles.event}>
          <Checkbox
            label={event}
            checked={chosen.includes(event)}
            describedBy={`${id}${event}`}
            onChange={(on) => onSet([event], on)}
          />
          <p id={`${id}${event}`} className="muted small">
            {describe(event)}
          </p>
        </div>
      ))}
    </fieldset>
  )
}
