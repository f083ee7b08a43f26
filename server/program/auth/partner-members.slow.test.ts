process.env.RUNS ??= '12'
await import('./partner-members.test.ts')
