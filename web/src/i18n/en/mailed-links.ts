/** The texts of the pages that ask for a mail and that its links open: a part of those for the sign-in. */
export const mailedLinks = {
  reset: {
    title: "Set a new password",
    explain: "Enter your email. If you are a member, we send you a link.",
    button: "Send the link",
    sent: "If {{email}} belongs to a member, the link is on its way. It is valid for one hour.",
    back: "Back to sign-in",
  },
  choose: {
    invitation: "Welcome to Parley",
    title: "Choose your password",
    password: "New password",
    hint: "At least ten characters. A few words that belong to nobody else are best.",
    button: "Set the password",
    done: "Your password is set. Sign in with it.",
    used: "This link was used, or it has expired. Ask for a new one.",
  },
  proof: {
    title: "Your email",
    checking: "Checking the link",
    done: "Your email is proven.",
  },
};
