package dev.assay.domain.access;

import dev.assay.domain.text.Excerpt;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The access rule of a server that asks for no tokens and listens on this machine only. A browser on this machine reaches it too,
 * so the server refuses pages of others. They may come under a name of their own that leads here (DNS rebinding), or by a request
 * across sites.
 *
 * @param names hosts that are trusted beside those of loopback, in small letters
 */
public record LocalDoor(Set<String> names) {

    private static final Pattern HOST = Pattern.compile("(?<name>\\[[0-9A-Fa-f:.]+]|[^\\[\\]:/@\\s]+)(:[0-9]{1,5})?");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1]");

    /** @param names as they stand in a {@code Host}, without a port; upper and lower case are the same */
    public LocalDoor {
        Set<String> small = new TreeSet<>();
        names.forEach(name -> small.add(name.toLowerCase(Locale.ROOT)));
        names = Set.copyOf(small);
    }

    /**
     * The reason why a request is refused, for people; null: it is not.
     *
     * @param hosts every {@code Host} of the request
     * @param origins every {@code Origin}; one that is not a page of the server itself is foreign, {@code null} as well
     */
    public @Nullable String refusal(List<String> hosts, List<String> origins) {
        if (hosts.size() != 1 || !trusts(hosts.getFirst())) {
            return "The Host of the request" + (hosts.isEmpty() ? "" : ", " + Excerpt.of(hosts.getFirst()) + ",")
                    + " is no name of this machine's loopback; ask 127.0.0.1, or start this process with --allow-host";
        }
        return origins.stream().allMatch(origin -> isOwn(origin, hosts.getFirst()))
                ? null
                : "The request comes from a page of " + Excerpt.of(origins.getFirst())
                        + ", which is another Origin; only pages of this server may ask it";
    }

    private boolean trusts(String host) {
        Matcher parts = HOST.matcher(host);
        if (!parts.matches()) {
            return false;
        }
        String name = parts.group("name").toLowerCase(Locale.ROOT);
        return LOOPBACK.matcher(name).matches() || names.contains(name);
    }

    /** Whether the page is the server's own. A proxy in front of an allowed name may speak https. */
    private static boolean isOwn(String origin, String host) {
        return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
    }
}
