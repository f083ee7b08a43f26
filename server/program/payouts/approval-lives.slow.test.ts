process.env.RUNS ??= '25'
await import('./approval-lives.test.ts')
