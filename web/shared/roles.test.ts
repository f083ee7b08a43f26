import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role, User } from '#contract/auth.ts'
import { inSwitcherOrder, mayCall, roleLabel, selectRole } from './roles.ts'

const admin: Role = { type: 'admin' }
const owner: Role = { type: 'account-owner', accountId: 'a1', accountName: 'Zinc' }
const partner: Role = { type: 'partner', partnerId: 'p1', accountId: 'a2', accountName: 'Harbor' }
const userWith = (...roles: Role[]): User => ({
  id: 'u1',
  email: 'elena@harbor.example',
  firstName: null,
  lastName: null,
  roles,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
})
const words = { administrator: 'Administrator', partnerOf: (account: string) => `${account}'s partner` }

test('the role in the navigation state wins, compared by value', () =>
  assert.deepEqual(selectRole(userWith(admin, owner, partner), { ...partner }, owner), partner))

test('a role that the user has lost is skipped', () => {
  const stranger: Role = { type: 'account-owner', accountId: 'a9', accountName: 'Zinc' }
  assert.deepEqual(selectRole(userWith(partner, admin), stranger, partner), partner)
  assert.deepEqual(selectRole(userWith(partner, admin), stranger, stranger), admin)
})

test('a member of a partner keeps the role chosen as its owner, and reads the same name', () => {
  const member: Role = { ...partner, type: 'partner-member' }
  assert.deepEqual(selectRole(userWith(owner, member), undefined, partner), member)
  assert.equal(roleLabel(member, words), "Harbor's partner")
  assert.equal(mayCall(member, { allow: ['partner'] }), false)
  assert.equal(mayCall(member, { allow: ['owner', 'partner-member'] }), true)
})

test('without a choice the account owner comes before the administrator, then the first', () => {
  assert.deepEqual(selectRole(userWith(partner, admin, owner), undefined, null), owner)
  assert.deepEqual(selectRole(userWith(partner, admin), undefined, null), admin)
  assert.deepEqual(selectRole(userWith(partner), undefined, null), partner)
  assert.equal(selectRole(userWith(), undefined, null), undefined)
})

test('the switcher lists the administrator first, the others by label', () => {
  const label = (role: Role) => roleLabel(role, words)
  assert.deepEqual(inSwitcherOrder([owner, partner, admin], label).map(label), [
    'Administrator',
    "Harbor's partner",
    'Zinc',
  ])
})

test('calls of anyone signed in need no role', () => {
  assert.equal(mayCall(undefined, { allow: ['user'] }), true)
  assert.equal(mayCall(partner, { allow: ['user'] }), true)
  assert.equal(mayCall(undefined, { allow: ['owner'] }), false)
})
