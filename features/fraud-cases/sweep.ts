import { type FormRow, reasonRequired, requireFields, textField } from '#test/support/form-fields.ts'
import type { SweptScreen } from '#test/support/screens.ts'
import type { Limit } from '#test/support/sweep.ts'
import { MOST_VOIDED } from './server/cases.ts'

const reason = () => ({ reason: 'To see.' })
export const bodies = {
  releaseCase: reason,
  voidCase: reason,
  suspendPartnerForCase: reason,
  askPartnerAboutCase: () => ({ text: 'How did you meet?' }),
}

export const requiredRights = {
  releaseCase: 'earn',
  voidCase: 'earn',
  suspendPartnerForCase: 'earn',
  askPartnerAboutCase: 'earn',
}
export const hiddenFromPartners = ['case']
export const keptInEvents = { case: { lead: ['findings.evidence'], partner: ['findings.evidence'] } }
// the journey of fraud review reads the file
export const notCompared = ['downloadCases']

const title = 'Fraud review · Leads'
export const screens: SweptScreen[] = [
  {
    role: 'owner',
    path: '/cases',
    h1: 'Leads',
    title,
    isTab: true,
    buttons: ['Download CSV'],
    labels: ['Rule', 'Partner', 'Decided'],
  },
  { role: 'owner', path: '/cases?state=decided', h1: 'Leads', title, buttons: [] },
]
export const emptyScreens: [path: string, h1: string][] = [['/cases', 'Leads']]

export const forms: FormRow[] = [
  // asked and answered before the case is released
  {
    name: 'question to a partner',
    who: 'owner',
    path: '/cases?rule=disposable-mail&partnerId={partner}',
    h1: 'Leads',
    of: 'Milo Grant',
    open: '/Ask partner',
    submit: 'Send question',
    fields: { Question: textField('text', 1000) },
    nothing: requireFields('Question'),
    said: 'Question sent',
  },
  {
    name: 'answer of a partner',
    who: 'partner',
    path: '/dashboard',
    h1: 'Dashboard',
    unguarded: true,
    submit: 'Send answer',
    fields: { Answer: textField('text', 1000) },
    nothing: requireFields('Answer'),
    said: 'Answer sent',
  },
  {
    name: 'release of a case',
    who: 'owner',
    path: '/cases',
    h1: 'Leads',
    of: 'Milo Grant',
    open: 'Release',
    submit: 'Release case',
    fields: { Reason: textField('change.reason', 1000) },
    nothing: reasonRequired,
    said: 'Case released',
  },
]

export const limits: Limit[] = [
  { table: 'atOnce', row: ['sales voided with a fraud case', `${MOST_VOIDED}`], refusals: ['case_holds_many_sales'] },
]
