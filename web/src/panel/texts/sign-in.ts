/** Texts of signing in, of sign-in links, and of the first visit. */
export const signInTexts = {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  or: 'or',
  emailMissing: 'Enter your e-mail address.',
  passwordMissing: 'Enter your password.',
  passkey: 'Sign in with a passkey',
  forgotLink: 'Forgot your password?',
  back: 'Back to sign-in',
  startOver: 'Start over',
  cookies: 'This browser did not keep the sign-in. Allow cookies for this address, then try again.',
  working: 'Signing in…',
  code: {
    title: 'One more step',
    lead: 'Enter the code that your authenticator app shows for this service.',
    field: 'Code',
    submit: 'Continue',
    useRecovery: 'Use a recovery code instead',
    recoveryLead: 'Enter one of your recovery codes. Each works once.',
    recoveryField: 'Recovery code',
    useApp: 'Use the authenticator app instead',
  },
  account: {
    title: 'Which account?',
    lead: 'Your address belongs to several accounts.',
    of: (owner: string) => `Account of ${owner}`,
  },
  forgot: {
    title: 'Forgot your password?',
    lead: 'We send you an e-mail with a link to choose a new one.',
    submit: 'Send the link',
    sentTitle: 'Check your e-mail',
    sent: (email: string) =>
      `If ${email} belongs to a person on this server, an e-mail with a link is on its way. It can take a few minutes; check the spam folder too.`,
    noMail: 'This server cannot send e-mail. Ask the administrator of your account for a new link.',
    noMailOwner:
      'If you are a server administrator, run this command on the server, in the Drawbridge folder, to create a sign-in link:',
    commandLabel: 'Command to run on the server',
  },
  link: {
    signInTitle: 'Sign in with this link',
    signInLead: 'The link works once. It is used up when you press the button.',
    inviteTitle: 'You are invited to a team',
    inviteLead: 'Press the button to join. After that you choose how you sign in.',
    signIn: 'Sign in',
    join: 'Join the team',
    already: (email: string) =>
      `${email} is signed in to this browser. If you use the link, that person is signed out here.`,
    deadTitle: 'This link does not work',
    dead: 'It was already used, has expired or never existed.',
    deadSignIn:
      'Sign in as usual, or ask the administrator of your account for a new link. If you are a server administrator, run this command on the server, in the Drawbridge folder, to create one:',
    deadInvite:
      'If you already joined, sign in as usual. Otherwise ask the person who invited you for a new invitation.',
    toSignIn: 'Go to sign-in',
  },
  renew: {
    title: 'Choose a new password',
    lead: 'You signed in with a link. If you forgot your password, choose a new one now.',
    keep: 'Keep my current password',
  },
  newPassword: {
    field: 'New password',
    show: 'Show the password',
    submit: 'Set the password',
    rules: {
      length: 'at least 8 characters',
      letter: 'a letter',
      digit: 'a digit',
    },
    rulesLabel: 'The password needs',
    met: 'done',
    unmet: 'missing',
    tooLong: 'at most 256 characters',
  },
  onboarding: {
    title: 'Welcome',
    lead: (email: string) => `You are signed in as ${email}. Choose how you sign in from now on.`,
    passkeyTitle: 'A passkey',
    makePasskey: 'Create a passkey',
    passwordTitle: 'A password',
    signOut: 'Sign out',
  },
  passkeys: {
    what: 'A passkey lets you sign in with the fingerprint, face or PIN of your device. There is nothing to remember, and nothing that could be stolen from the server.',
    noName:
      'Passkeys need a server with a host name. This server is reached by its IP address, and browsers do not create passkeys for IP addresses.',
    noBrowser: 'This browser cannot create passkeys.',
    cancelled: 'Nothing was confirmed, or it took too long. Try again.',
    known: 'This device already has a passkey for you.',
    unable:
      'This device cannot create a passkey that checks who you are. Try another device or a security key.',
    wrongPlace: 'Passkeys work only at the public address of the server. Open the panel at that address.',
  },
  firstSteps: {
    label: 'First steps',
    title: 'Everything is ready. What comes next?',
    dismiss: 'Dismiss',
    here: 'You can do this below on this page.',
    dismissOne: (title: string) => `Dismiss “${title}”`,
    steps: {
      device: {
        title: 'Add a device',
        text: 'One command installs the agent. After that, you can reach the device at any time.',
        open: 'Add a device',
      },
      client: {
        title: 'Invite a client',
        text: 'Send a code or a link, and help somebody at once without installing anything.',
        open: 'Go to quick support',
      },
      technician: {
        title: 'Invite a technician',
        text: 'Share the work, and decide who can do what on which device.',
        open: 'Go to the team',
      },
    },
  },
} as const;
