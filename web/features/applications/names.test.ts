import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicantName, canApprove, canReject, isOverdue, waitsSince } from './names.ts'

const at = '2026-11-25T10:00:00.000Z'

test('an applicant is named as well as what is left of them allows', () => {
  const sam = { firstName: 'Sam', lastName: 'Ortiz', email: 'sam@ortiz.example' }
  assert.equal(applicantName(sam), 'Sam Ortiz')
  assert.equal(applicantName({ ...sam, firstName: null }), 'Ortiz')
  assert.equal(applicantName({ ...sam, firstName: null, lastName: null }), 'sam@ortiz.example')
  assert.equal(applicantName({ firstName: null, lastName: null, email: null }), 'Deleted applicant')
})

test('only a waiting application has an age, and a day of it is too long', () => {
  assert.equal(waitsSince({ status: 'waiting', appliedAt: at }), at)
  assert.equal(waitsSince({ status: 'approved', appliedAt: at }), null)
  assert.equal(isOverdue(at, new Date('2026-11-26T09:59:59.999Z')), false)
  assert.equal(isOverdue(at, new Date('2026-11-26T10:00:00.000Z')), true)
})

test('waiting and rejected ones can be approved, waiting ones rejected, and none without its data', () => {
  const table = {
    unconfirmed: [false, false],
    waiting: [true, true],
    approved: [false, false],
    rejected: [true, false],
  }
  for (const [status, able] of Object.entries(table) as [keyof typeof table, boolean[]][]) {
    assert.deepEqual([canApprove({ status, email: 'a@b.example' }), canReject({ status })], able)
    assert.equal(canApprove({ status, email: null }), false)
  }
})
