import { useQuery } from '@tanstack/react-query'
import { type InvoiceDetails as Details, NewInvoiceDetails, saveInvoiceDetails } from '#contract/invoices.ts'
import { formatCountry, formatDateAt } from '../../format.ts'
import { invoiceDetailsQuery } from '../../shared/invoices.ts'
import { PartyFields, partyValues } from '../../shared/PartyFields.tsx'
import { useAccount } from '../../shell/current.ts'
import { exposeAction } from '../../ui/actions.tsx'
import { CheckboxField, TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { Message } from '../../ui/Message.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { invoiceDetailsWords as words } from '../../words/invoices.ts'

/** The partner's details for the invoices that the account issues; nothing in an account that issues none. */
export function InvoiceDetails({ partnerId }: { partnerId: string }) {
  const { timeZone } = useAccount()
  const { data } = useQuery(invoiceDetailsQuery(partnerId))
  if (!data?.enabled) return null
  const { version, agreed, agreedAt, legalName, accountName, required } = data
  const isMissing = version === null
  return (
    <Panel
      heading={words.heading}
      aside={
        !isMissing && (
          <ActButton small act={enter} of={{ id: partnerId, ...data }}>
            {words.change}
          </ActButton>
        )
      }
    >
      <div className="stack inset">
        {isMissing ? (
          <>
            <Message kind={required ? 'warning' : 'info'}>
              {words.missing({ account: accountName })} {required && words.waits}
            </Message>
            <div>
              <ActButton look={required ? 'primary' : 'secondary'} act={enter} of={{ id: partnerId, ...data }} />
            </div>
          </>
        ) : (
          <>
            <p className="strong wrap">{legalName}</p>
            <p className="wrap">{stateOf(data)}</p>
            {agreedAt && <p className="muted small">{words.agreedOn({ date: formatDateAt(agreedAt, timeZone) })}</p>}
            {!agreed && (
              <>
                <Message kind="info">{words.outdated}</Message>
                <div>
                  <ActButton act={enter} of={{ id: partnerId, ...data }}>
                    {words.agreeAgain}
                  </ActButton>
                </div>
              </>
            )}
          </>
        )}
      </div>
    </Panel>
  )
}

/** Returns how VAT applies, in one line: 'Reverse charge: you are in France, Acme is in Germany.' */
function stateOf({ treatment, words: said, country, accountCountry, accountName }: Details) {
  if (treatment === null) return words.none({ reason: said ?? '' })
  const name = words.treatments[treatment]({ words: said ?? '' })
  const yours = formatCountry(country ?? '')
  if (country === accountCountry) return words.same({ treatment: name, yours, account: accountName })
  const theirs = formatCountry(accountCountry ?? '')
  return words.both({ treatment: name, yours, account: accountName, theirs })
}

const enter = exposeAction(
  defineFormAction(saveInvoiceDetails, NewInvoiceDetails, (details: Details & { id: string }) => ({
    heading: words.heading,
    why: words.why,
    submit: words.save,
    done: words.saved,
    initial: {
      ...partyValues(details),
      taxNumber: details.taxNumber ?? '',
      smallBusiness: details.smallBusiness ?? false,
      agreed: false as boolean,
    },
    fields: (form) => (
      <>
        <PartyFields form={form} electronic>
          <TextField {...form.field('taxNumber', words.taxNumber)} optional help={words.taxNumberHelp} />
        </PartyFields>
        <CheckboxField {...form.field('smallBusiness', words.smallBusiness)} />
        <CheckboxField {...form.field('agreed', details.agreement)} />
      </>
    ),
  })),
  { label: words.enter },
)
