import { chosenField, type FormRow, keyName, requireFields } from '#test/support/form-fields.ts'
import type { SweptScreen } from '#test/support/screens.ts'

const pushData = { role: 'owner', path: '/integrations/push-data', h1: 'Push Data' } as const

export const screens: SweptScreen[] = [
  {
    ...pushData,
    buttons: ['Play a sale through', 'Add API key', 'Show', 'Copy', 'Send test request'],
    labels: ['API Key', 'Base URL'],
  },
]
export const emptyScreens: [path: string, h1: string][] = [[pushData.path, pushData.h1]]

export const forms: FormRow[] = [
  {
    name: 'API key',
    who: 'owner',
    path: pushData.path,
    h1: pushData.h1,
    open: 'Add API key',
    first: ['Read data'],
    submit: 'Add API key',
    fields: { Name: keyName, Expires: chosenField('In 90 days') },
    nothing: requireFields('Name'),
    done: 'Close',
    shown: pushData.path,
  },
]
