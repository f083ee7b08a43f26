process.env.RUNS ??= '30'
await import('./agreement-lives.test.ts')
