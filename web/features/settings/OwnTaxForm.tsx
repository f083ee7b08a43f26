import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { getTaxForm, type TaxFormState } from '#features/tax-years/contract.ts'
import { apiQuery } from '../../calls.ts'
import { formatDate, todayIn } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { RadioField } from '../../ui/fields.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { dialogWords } from '../../words/pieces.ts'
import { taxFormWords as words } from '../../words/tax-forms.ts'

const SignW9 = lazyComponent(async () => (await import('./SignW9.tsx')).SignW9)
const SignW8Ben = lazyComponent(async () => (await import('./SignW8Ben.tsx')).SignW8Ben)

/** The partner's tax form by its state, and a new one to sign; nothing if the account doesn't ask for one. */
export function OwnTaxForm({ partnerId }: { partnerId: string }) {
  const account = useAccount()
  const { data } = useQuery(apiQuery(getTaxForm, { params: { id: partnerId } }))
  const [signing, setSigning] = useState(false)
  if (!data || (data.wanted === 'off' && data.kind === null)) return null
  if (signing) return <Signing partnerId={partnerId} onClose={() => setSigning(false)} />
  const today = todayIn(account.timeZone)
  const expired = data.expiresOn !== null && data.expiresOn < today
  const tone = data.kind && !expired ? 'done' : data.wanted === 'required' ? 'needs' : 'waits'
  return (
    <Panel
      heading={words.heading}
      aside={<Badge tone={tone}>{expired ? words.hasExpired : data.kind ? words.onFile : words.missing}</Badge>}
    >
      <div className="stack inset">
        {linesOf(data, { account: account.displayName, expired }).map((line) => (
          <p key={line}>{line}</p>
        ))}
        {data.wanted !== 'off' && (
          <div className="row">
            <Button look={tone === 'needs' ? 'primary' : 'secondary'} onClick={() => setSigning(true)}>
              {data.kind ? words.replace : words.add}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}

/** Returns the state of the form in one line, and another where something is to be done. */
function linesOf(state: TaxFormState, { account, expired }: { account: string; expired: boolean }): string[] {
  const { wanted, kind, source, receivedOn, tinLast4, expiresOn } = state
  const wish = wanted === 'off' ? [] : [words[wanted === 'required' ? 'required' : 'asked']({ account })]
  if (!kind || !receivedOn) return wish
  const form = words.forms[kind]
  if (expired && expiresOn) return [words.expired({ form, date: formatDate(expiresOn) }), ...wish]
  const date = formatDate(receivedOn)
  return [
    [
      source === 'owner' ? words.recorded({ account, form, date }) : words.signed({ form, date }),
      ...(tinLast4 ? [words.ending({ digits: tinLast4 })] : []),
      ...(expiresOn ? [words.until({ date: formatDate(expiresOn) })] : []),
    ].join(' '),
  ]
}

const answers = ['yes', 'no'] as const
type Answer = (typeof answers)[number]
const kinds = ['person', 'organization'] as const
type Kind = (typeof kinds)[number]

/** Asks which form it is, and shows it. */
function Signing({ partnerId, onClose }: { partnerId: string; onClose: () => void }) {
  const account = useAccount()
  const id = useId()
  const [isUs, setIsUs] = useState<Answer>('yes')
  const [who, setWho] = useState<Kind>('person')
  const questions = (
    <>
      <RadioField<Answer>
        id={`${id}-us`}
        name="usPerson"
        label={words.usPerson}
        help={words.usHelp}
        value={isUs}
        choices={answers.map((value) => ({ value, label: words.answers[value] }))}
        onChange={setIsUs}
        onBlur={() => undefined}
      />
      {isUs === 'no' && (
        <RadioField<Kind>
          id={`${id}-who`}
          name="who"
          label={words.who}
          value={who}
          choices={kinds.map((value) => ({ value, label: words.kinds[value] }))}
          onChange={setWho}
          onBlur={() => undefined}
        />
      )}
    </>
  )
  if (isUs === 'yes') return <SignW9 partnerId={partnerId} above={questions} onClose={onClose} />
  if (who === 'person') return <SignW8Ben partnerId={partnerId} above={questions} onClose={onClose} />
  return (
    <Panel heading={words.heading}>
      <div className="stack inset">
        {questions}
        <p>{words.organization({ account: account.displayName })}</p>
        <div className="row">
          <Button onClick={onClose}>{dialogWords.cancel}</Button>
        </div>
      </div>
    </Panel>
  )
}
