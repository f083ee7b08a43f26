import { useState } from 'react'
import { type AutoPayoutSettings, listWiseProfiles, type WiseProfile } from '#contract/payout-settings.ts'
import { CallError, callApi } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import type { FieldProps } from '../../ui/contract-form.tsx'
import { RadioCards, useNotes } from '../../ui/fields.tsx'
import { Field, TextInput } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { wiseWords } from '../../words/wise.ts'
import styles from './WiseProfiles.module.css'

/** Returns the profiles of a token: those of the stored one, until another is loaded. */
export function useWiseProfiles({ wiseTokenHint, wiseProfilesAvailable }: AutoPayoutSettings) {
  const [entering, setEntering] = useState(wiseTokenHint === null)
  const [profiles, setProfiles] = useState<readonly WiseProfile[]>(wiseProfilesAvailable)
  const [failed, setFailed] = useState(false)
  const [loading, setLoading] = useState(false)
  const [hint, setHint] = useState(wiseTokenHint)

  /** Returns the profiles; null if they could not be loaded: then there are none to choose from. */
  async function load(token: string) {
    setLoading(true)
    setFailed(false)
    try {
      const { items } = await callApi(listWiseProfiles, { wiseToken: token })
      setProfiles(items)
      setHint(token.slice(-4))
      setEntering(false)
      return items
    } catch (error) {
      // A token with characters that are invalid in a header is a TypeError.
      if (!(error instanceof CallError || error instanceof TypeError)) throw error
      setProfiles([])
      setFailed(true)
      return null
    } finally {
      setLoading(false)
    }
  }

  return {
    entering,
    profiles,
    hint,
    failed,
    loading,
    load,
    change() {
      setEntering(true)
      setFailed(false)
    },
    /** Starts again with the saved settings. */
    restart(settings: AutoPayoutSettings) {
      setEntering(settings.wiseTokenHint === null)
      setProfiles(settings.wiseProfilesAvailable)
      setHint(settings.wiseTokenHint)
      setFailed(false)
    },
  }
}

type Props = {
  state: ReturnType<typeof useWiseProfiles>
  /** The token to save, '' to keep the stored one. */
  token: FieldProps<string>
  profile: FieldProps<string | null>
}

/** A Wise token, and the one of its profiles that pays. */
export function WiseProfiles({ state, token, profile }: Props) {
  const { entering, profiles, failed } = state

  async function load(typed: string) {
    const items = await state.load(typed)
    token.onChange(items ? typed : '')
    const kept = items?.find(({ id }) => id === profile.value) ?? items?.[0]
    profile.onChange(kept?.id ?? null)
  }

  return (
    <>
      {entering ? (
        <TokenEntry field={token} busy={state.loading} onLoad={load} />
      ) : (
        <KnownToken field={token} hint={state.hint ?? ''} onChange={state.change} />
      )}
      {failed && <Message kind="error">{wiseWords.failed}</Message>}
      {!entering && profiles.length === 0 && <Message kind="warning">{wiseWords.noProfiles}</Message>}
      {!entering && profiles.length > 0 && (
        <RadioCards
          {...profile}
          value={profile.value ?? ''}
          choices={profiles.map((one) => ({ value: one.id, label: nameOf(one), help: `${kindOf(one)} · ${one.id}` }))}
        />
      )}
    </>
  )
}

type EntryProps = { field: FieldProps<string>; busy: boolean; onLoad: (typed: string) => void }

function TokenEntry({ field, busy, onLoad }: EntryProps) {
  const [typed, setTyped] = useState('')
  const { notes, describedBy } = useNotes(field.id, wiseWords.tokenHelp, field.error)
  const token = typed.trim()
  return (
    <Field id={field.id} label={field.label}>
      <div className="row">
        <div className={styles.token}>
          <TextInput
            id={field.id}
            type="password"
            spellCheck={false}
            maxLength={500}
            placeholder={wiseWords.placeholder}
            value={typed}
            aria-invalid={field.error ? true : undefined}
            aria-describedby={describedBy}
            onChange={setTyped}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              if (token && !busy) onLoad(token)
            }}
          />
        </div>
        <Button busy={busy} disabled={token === ''} onClick={() => onLoad(token)}>
          {wiseWords.load}
        </Button>
      </div>
      {notes}
    </Field>
  )
}

type KnownProps = { field: FieldProps<string>; hint: string; onChange: () => void }

function KnownToken({ field, hint, onChange }: KnownProps) {
  const { notes, describedBy } = useNotes(field.id, wiseWords.kept, field.error)
  return (
    <Field id={field.id} label={field.label}>
      <div className="row">
        <div className={styles.token}>
          <TextInput
            id={field.id}
            readOnly
            value={`${'•'.repeat(20)}${hint}`}
            aria-describedby={describedBy}
            onChange={() => undefined}
          />
        </div>
        <Button onClick={onChange}>{wiseWords.change}</Button>
      </div>
      {notes}
    </Field>
  )
}

const nameOf = ({ businessName, fullName, id }: WiseProfile) => businessName ?? fullName ?? id
const kindOf = ({ type }: WiseProfile) => (type === 'BUSINESS' ? wiseWords.business : wiseWords.personal)
