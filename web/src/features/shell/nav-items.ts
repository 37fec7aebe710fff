import {
  BookOpen,
  BriefcaseBusiness,
  CalendarDays,
  ChartNoAxesColumn,
  CircleAlert,
  Inbox,
  KeyRound,
  type LucideIcon,
  Settings,
  Users,
} from "lucide-react";
import { manages } from "../../session/roles.js";
import type { Member } from "../../session/session.js";

/** `also`: pages that belong to the item, and whose addresses begin otherwise. */
const NAV_ITEMS: { to: string; name: NavItemName; icon: LucideIcon; also?: string }[] = [
  { to: "/inbox", name: "inbox", icon: Inbox },
  { to: "/attention", name: "attention", icon: CircleAlert, also: "/approvals" },
  { to: "/contacts", name: "contacts", icon: Users, also: "/accounts" },
  { to: "/cases", name: "cases", icon: BriefcaseBusiness },
  { to: "/calendar", name: "calendar", icon: CalendarDays },
  { to: "/knowledge", name: "knowledge", icon: BookOpen, also: "/policies" },
  { to: "/quality", name: "quality", icon: ChartNoAxesColumn },
  { to: "/settings", name: "settings", icon: Settings },
  { to: "/settings/api-access", name: "apiAccess", icon: KeyRound },
];
type NavItemName =
  "inbox" | "attention" | "contacts" | "cases" | "calendar" | "knowledge" | "quality" | "settings" | "apiAccess";

/** The items of the navigation. Members for billing read consumption and their own profile, and only owners and admins see keys. */
export function navItemsOf(member: Member): typeof NAV_ITEMS {
  if (member.role === "billing") return NAV_ITEMS.filter(({ name }) => name === "settings");
  return manages(member) ? NAV_ITEMS : NAV_ITEMS.filter(({ name }) => name !== "apiAccess");
}
