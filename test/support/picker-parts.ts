import { toCss } from '../../embed/configuration.ts'
import { findAll } from '../../embed/fields.ts'
import { proposeSelector } from '../../embed/propose.ts'

// The parts of the picker that a test calls in a page of its own.

Object.assign(window, { picker: { propose: proposeSelector, findAll, cssOf: toCss } })
